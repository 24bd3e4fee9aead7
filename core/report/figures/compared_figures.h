#pragma once

#include <string>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/report/input/report_material.h"

/// Figures of two runs, with the flags of the request's notes.
namespace highwater {

/// Returns "before.pickle ↔ after.pickle".
std::string bothNames(const ReportMaterial& material);

/// Draws both totals overlaid. Only for runs with allocations.
Figure drawOverlay(const ReportMaterial& material, const RunAlignment& alignment, const FigureOptions& sheet);
/// Draws the peak of each step side by side. Only for runs with allocations.
Figure drawStepPairs(const ReportMaterial& material, const FigureOptions& sheet);
/// Draws the memory measure that both logs have (`LogDiff::compared`). There must be one, and it must be
/// drawable.
Figure drawSeriesPair(const ReportMaterial& material, const FigureOptions& sheet);

} // namespace highwater
