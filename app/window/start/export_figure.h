#pragma once

#include <string>
#include <vector>

#include "core/figure/drawing/figure_sheet.h"
#include "core/report/input/report_material.h"

namespace highwater::gui {

/// "timeline", "steps", "composition", "segments", "diff", "waterfall".
const std::vector<std::string>& figureKinds();

/// A figure of this kind of one run, or of two, with the flags of the request's notes: composition at the
/// peak, segments at the last out-of-memory event, else at the peak; of a log its series as timeline, of two
/// logs as diff. Fails with BadRequest where the runs have no such figure.
Result<Figure> figureOf(const ReportMaterial& material, const std::string& kind, FigureOptions options);

} // namespace highwater::gui
