#pragma once

#include <vector>

#include "app/views/report/page_breaks.h"

class QTextDocument;

namespace highwater::gui {

/// The lines, rows and figures of a laid-out text, from the top: the units of page breaks. The first two and
/// the last two lines of a paragraph stay together, and so do a table's titles with its first rows, and its
/// last rows with its total. Tables are not nested. O(lines + cells).
std::vector<PageStrip> stripsOf(const QTextDocument& document);

} // namespace highwater::gui
