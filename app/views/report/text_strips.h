#pragma once

#include <vector>

#include "app/views/report/page_breaks.h"

class QTextDocument;

namespace highwater::gui {

/// The lines, rows and figures of a text that is laid out, from the top: the units of page breaks. Two lines
/// of a paragraph stay together at either end of it; so do the titles of a table and its first rows, and its
/// last rows with its total. Tables are not nested. O(lines + cells).
std::vector<PageStrip> stripsOf(const QTextDocument& document);

} // namespace highwater::gui
