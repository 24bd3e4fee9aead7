#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/steps/grade.h"
#include "core/table/table.h"

/// Make cells of the common kinds.
namespace highwater {

Cell bytesCell(Bytes bytes);
/// Returns an empty cell if there is no value.
Cell bytesCell(const std::optional<Bytes>& bytes);
Cell deltaCell(Bytes bytes);
Cell countCell(std::int64_t count);
Cell eventCell(std::int64_t event);
/// Returns `part` as a share of `whole`, in thousandths; empty if the whole is 0.
Cell shareCell(Bytes part, Bytes whole);
/// Returns `part` as a multiple of `whole`, in thousandths, rounded once to the digits that `formatRatio`
/// shows; empty if the whole is not positive.
Cell factorCell(Bytes part, Bytes whole);
/// Returns an empty cell if there is no value.
Cell gradeCell(std::optional<Grade> grade);
/// Returns an empty cell if the text is empty.
Cell textCell(std::string text);
/// Returns the value of a setting, shown as `shownSetting` words it; an empty cell without a value.
Cell settingCell(std::string_view name, std::string value);

} // namespace highwater
