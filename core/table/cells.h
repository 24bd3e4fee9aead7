#pragma once

#include "core/analysis/steps/grade.h"
#include "core/table/table.h"

/// Cells of the common kinds.
namespace highwater {

Cell bytesCell(Bytes bytes);
/// Empty if there is no value.
Cell bytesCell(const std::optional<Bytes>& bytes);
Cell deltaCell(Bytes bytes);
Cell countCell(std::int64_t count);
Cell eventCell(std::int64_t event);
/// A share of the whole; empty if the whole is 0.
Cell shareCell(Bytes part, Bytes whole);
/// A multiple of the whole, rounded once to the digits that `formatRatio` shows; empty if the whole is 0.
Cell factorCell(Bytes part, Bytes whole);
/// Empty if there is no value.
Cell gradeCell(std::optional<Grade> grade);
/// Empty if the text is empty.
Cell textCell(std::string text);

} // namespace highwater
