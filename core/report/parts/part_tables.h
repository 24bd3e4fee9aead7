#pragma once

#include <string>

#include "core/report/input/report_material.h"

/// Tables shared by several parts, with at most `maxRows` (≥ 1) rows. Rows add up exactly to their total,
/// since the last row sums up the omitted rows.
namespace highwater {

/// Returns a table of the live memory at the peak, with its id and its caption, which names the quantity.
Table captionedForPeak(
    const RunMaterial& run, const std::string& id, const std::string& caption, Table table);

/// Returns the live memory at the peak by call site, or by category.
Table sitesAtPeak(const RunMaterial& run, std::size_t maxRows);
Table categoriesAtPeak(const RunMaterial& run);
/// Returns the settings that differ between two runs, at most `maxRows` in a brief report and twice as many
/// else.
Table changedSettings(const ReportMaterial& material);

} // namespace highwater
