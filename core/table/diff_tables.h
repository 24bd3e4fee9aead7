#pragma once

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/diff/size_causes.h"
#include "core/table/table_source.h"

/// Tables of what differs between two runs.
namespace highwater {

/// The rows of a comparison, largest difference first, named in short and by their whole key on demand.
/// `diff` and `causes` must outlive it; null: without what happened to single blocks.
TableSource diffSource(GroupKey key, const RunDiff& diff, const SizeCauses* causes = nullptr);
/// At most `mostRows` (≥ 1) of them, the last holding those that are left out, and both totals.
Table diffTable(GroupKey key, const RunDiff& diff, std::size_t mostRows, const SizeCauses* causes = nullptr);

/// Settings that differ.
Table settingChangeTable(const std::vector<SettingChange>& changes);

} // namespace highwater
