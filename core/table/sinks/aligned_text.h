#pragma once

#include <functional>
#include <string>

#include "core/table/table.h"

namespace highwater {

/// Marks up a text: terminal colours.
using ToneText = std::function<std::string(CellTone tone, const std::string& text)>;

/// Returns the table for a terminal, in aligned columns: titles, rows, the total, and the note on rows left
/// out. Each line is indented by two characters and has no trailing blanks; widths count characters, not
/// bytes. A text of several lines takes as many lines, all but the first indented. Texts are sanitized.
/// O(cells).
///
/// `width` is the number of characters per line; 0 means no limit. Texts that are too long lose their middle
/// ("forward (/ho…odel.py:39)"), figures are never shortened; if there are still too many columns, the
/// remaining ones follow below, again next to the first column.
std::string alignedText(const Table& table, const ToneText& toned = {}, std::size_t width = 0);

} // namespace highwater
