#pragma once

#include <vector>

#include "app/views/report/page_breaks.h"

class QTextDocument;

namespace highwater::gui {

/// Returns the lines, rows and figures of a laid-out text from the top, between which pages can break. The
/// first two and the last two lines of a paragraph stay together; so do the titles of a table with its first
/// rows, its last rows with its total, and all rows of a short table. Tables must not be nested. O(lines +
/// cells).
std::vector<PageStrip> stripsOf(const QTextDocument& document);

} // namespace highwater::gui
