#pragma once

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/diff/side_names.h"
#include "core/analysis/diff/size_causes.h"
#include "core/table/table_source.h"

/// Tables of the differences between two runs.
namespace highwater {

/// Returns the rows of a comparison, largest difference first. Keys are shortened; the tooltip has the
/// whole key. `diff` and `causes` must outlive the source. If `causes` is null, the column about single
/// blocks is omitted. `names` are the sides in the headings.
TableSource diffSource(
    GroupKey key, const RunDiff& diff, const SizeCauses* causes = nullptr, const SideNames& names = {});
/// Returns the first rows of `diffSource`, at most `maxRows` (≥ 1), and both totals. If rows are left out,
/// the last row is their sum.
Table diffTable(GroupKey key, const RunDiff& diff, std::size_t maxRows, const SizeCauses* causes = nullptr,
    const SideNames& names = {});

/// Returns the settings that differ; a numbered list with equal values is one row.
Table settingChangeTable(const std::vector<SettingChange>& changes);

} // namespace highwater
