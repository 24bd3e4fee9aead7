#pragma once

#include <string>

#include "core/report/input/report_material.h"

/// Tables shared by several parts, with at most `mostRows` (≥ 1) rows. Rows sum to their total exactly: the
/// last row holds those that are left out.
namespace highwater {

/// A table of what was alive at the peak, with its id and its caption; says which bytes.
Table compositionOf(const RunMaterial& run, const std::string& id, const std::string& caption, Table table);

/// What was live at the peak by call site, or by category.
Table sitesAtPeak(const RunMaterial& run, std::size_t mostRows);
Table categoriesAtPeak(const RunMaterial& run);
/// The settings that differ between two runs.
Table changedSettings(const ReportMaterial& material);

} // namespace highwater
