#pragma once

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/diff/size_causes.h"
#include "core/table/table_source.h"

/// Tables of the differences between two runs.
namespace highwater {

/// Returns the rows of a comparison, largest difference first, with short names and the whole key on demand.
/// `diff` and `causes` must outlive it; if `causes` is null, the column on single blocks is omitted.
TableSource diffSource(GroupKey key, const RunDiff& diff, const SizeCauses* causes = nullptr);
/// Returns at most `mostRows` (≥ 1) of these rows, the last one for those left out, and both totals.
Table diffTable(GroupKey key, const RunDiff& diff, std::size_t mostRows, const SizeCauses* causes = nullptr);

/// Returns the settings that differ.
Table settingChangeTable(const std::vector<SettingChange>& changes);

} // namespace highwater
