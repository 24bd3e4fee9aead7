#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/report/input/report_material.h"

/// Tables shared by several parts, with at most `mostRows` (≥ 1) rows. Rows sum to their total exactly: the
/// last row holds those that are left out.
namespace highwater {

/// Returns the display name of a row of a composition.
using GroupWords = std::function<std::string(const CompositionGroup&)>;

/// Bytes, share and count of the largest groups, "N others", and the total.
ReportTable compositionTable(const std::string& id, const std::string& caption, const std::string& group,
    const Composition& composition, std::size_t mostRows, const GroupWords& words);

/// What was live at the peak by call site, or by category.
ReportTable sitesAtPeak(const RunMaterial& run, std::size_t mostRows);
ReportTable categoriesAtPeak(const RunMaterial& run);

/// The rows of a comparison, largest difference first, "N others", and both totals. `words`: of a row's key.
ReportTable diffTable(const std::string& id, const std::string& caption, const std::string& group,
    const RunDiff& diff, std::size_t mostRows, const std::function<std::string(const DiffRow&)>& words);

/// Settings that differ, or an empty table. Says how many are left out beyond `mostRows`.
ReportTable settingsTable(const std::vector<SettingChange>& settings, std::size_t mostRows);

} // namespace highwater
