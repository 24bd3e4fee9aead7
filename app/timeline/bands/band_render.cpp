#include "app/timeline/bands/band_render.h"

#include <utility>

#include "app/timeline/bands/band_labels.h"
#include "app/timeline/bands/band_painter.h"
#include "core/figure/raster/step_columns.h"

namespace highwater::gui {

namespace {

/// True if the two pictures look the same in every column that shows the same moment.
bool haveEqualColumns(const BandRequest& a, const BandRequest& b)
{
    return a.looksLike(b) && a.yBottom == b.yBottom && a.yTop == b.yTop && a.height == b.height;
}

} // namespace

std::shared_ptr<const BandImage> renderBands(const BandRequest& request, const BandImage* last)
{
    const DeviceAnalysis& analysis = *request.analysis;
    auto result = std::make_shared<BandImage>();
    result->request = request;
    const ByteScale bytes{request.yBottom, (request.yTop - request.yBottom) / request.height};
    StepColumns shown = stepColumns(analysis.curve, analysis.steps, *request.scale, request.xBegin,
        request.xEnd, request.width, request.pixel);
    result->stepsPerGroup = shown.stepsPerGroup;
    result->spreads = std::move(shown.spreads);
    const BandRaster* const reusable
        = last && haveEqualColumns(request, last->request) ? &last->raster : nullptr;
    result->raster = rasterizeBands(analysis.live, std::move(shown.columns), bytes, request.height,
        request.stacking.get(), request.emphasis.get(), reusable);
    BandPainter painter(
        result->raster, result->spreads, request, labelHeightInRows(request.labelFont, request.pixel));
    result->image = painter.paint();
    result->filled = painter.takeFilledRows();
    result->labels = bandLabels(*result, painter.takeSpans());
    return result;
}

} // namespace highwater::gui
