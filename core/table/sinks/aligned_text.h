#pragma once

#include <functional>
#include <string>

#include "core/table/table.h"

namespace highwater {

/// Function that returns the text with markup for its tone, such as terminal colours.
using ToneText = std::function<std::string(CellTone tone, const std::string& text)>;

/// Returns the table for a terminal, in aligned columns: titles, rows, the total, and the note on rows left
/// out. Each line is indented by two characters and has no trailing blanks. Widths count characters, not
/// bytes. A cell of several lines takes as many lines, all but the first indented. All texts, also titles,
/// are sanitized. O(bytes of the texts × columns).
///
/// `width` is the number of characters per line; 0 means no limit. Texts that are too long lose first the
/// middle of a function's name ("poli…robs (b.py:186)"), or of their longest part ("backward · Scale…ward0"),
/// then a library call in brackets, then their end, or their beginning if the end matters more. Different
/// names of rows, in the first column, remain different, and figures are never shortened. Columns that still
/// do not fit follow in further blocks below, each of which repeats the first column.
std::string alignedText(const Table& table, const ToneText& toned = {}, std::size_t width = 0);

} // namespace highwater
