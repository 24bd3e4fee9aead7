#pragma once

#include <functional>
#include <string>

#include "core/table/table.h"

namespace highwater {

/// Sets a text off: colours of a terminal.
using ToneText = std::function<std::string(CellTone tone, const std::string& text)>;

/// The table for a terminal, its cells in columns: titles, rows, the total, and what is left out. Each line
/// is indented by two characters and has no trailing blanks; widths count characters, not bytes. A text of
/// several lines takes as many, the others indented below the first. Texts are sanitized. O(cells).
///
/// `width`: characters of a line; 0: as many as it takes. Texts that are too long for it lose their middle
/// ("forward (/ho…odel.py:39)"), figures never lose anything; where the columns are too many all the same,
/// the others follow below, beside the first column again.
std::string alignedText(const Table& table, const ToneText& toned = {}, std::size_t width = 0);

} // namespace highwater
