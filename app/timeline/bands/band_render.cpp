#include "app/timeline/bands/band_render.h"

#include <algorithm>

#include "app/timeline/bands/band_labels.h"
#include "app/timeline/bands/band_painter.h"

namespace highwater::gui {

namespace {

constexpr double kThinStep = 3;

/// True if steps are narrower than three pixels: drawn one by one, their rise and fall would be noise.
bool hasThinSteps(const BandRequest& request)
{
    const StepTable& table = request.analysis->steps;
    const std::int64_t first = std::max<std::int64_t>(0, request.scale->eventAt(request.xBegin));
    const std::int64_t last = request.scale->eventAt(request.xEnd);
    const auto from = table.stepOf(first);
    const auto to = table.stepOf(last);
    return table.source != StepSource::Whole && from && to
        && static_cast<double>(*to - *from) * kThinStep * request.pixel > request.width;
}

/// Changes each column to the peak of the steps that it touches. Returns, by column, the lowest memory in
/// those steps.
std::vector<Bytes> widenToSteps(const BandRequest& request, std::vector<PixelColumn>& columns)
{
    const DeviceAnalysis& analysis = *request.analysis;
    const StepTable& table = analysis.steps;
    const std::vector<Bytes>& lowest = analysis.lowestOfSteps();
    const double step = (request.xEnd - request.xBegin) / request.width;
    std::vector<Bytes> lowestByColumn(columns.size());
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const double key = request.xBegin + static_cast<double>(x) * step;
        const auto first = table.stepOf(std::max<std::int64_t>(0, request.scale->eventAt(key)));
        const auto last
            = table.stepOf(std::max<std::int64_t>(0, request.scale->firstEventFrom(key + step) - 1));
        if (columns[x].event == kNoState || !first || !last || *last < *first)
            continue;
        columns[x] = analysis.curve.peak(table.steps[*first].begin, table.steps[*last].end);
        lowestByColumn[x] = *std::min_element(lowest.begin() + static_cast<std::ptrdiff_t>(*first),
            lowest.begin() + static_cast<std::ptrdiff_t>(*last) + 1);
    }
    return lowestByColumn;
}

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
    std::vector<PixelColumn> columns
        = pixelColumns(analysis.curve, *request.scale, request.xBegin, request.xEnd, request.width);
    if (hasThinSteps(request))
        result->lowest = widenToSteps(request, columns);
    const BandRaster* const reusable
        = last && haveEqualColumns(request, last->request) ? &last->raster : nullptr;
    result->raster = rasterizeBands(analysis.live, std::move(columns), bytes, request.height,
        request.stacking.get(), request.emphasis.get(), reusable);
    BandPainter painter(
        result->raster, result->lowest, request, labelHeightInRows(request.labelFont, request.pixel));
    result->image = painter.paint();
    result->filled = painter.takeFilledRows();
    result->labels = bandLabels(*result, painter.takeRuns());
    return result;
}

} // namespace highwater::gui
