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
std::string alignedText(const Table& table, const ToneText& toned = {});

} // namespace highwater
