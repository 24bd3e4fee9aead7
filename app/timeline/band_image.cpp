#include "app/timeline/band_image.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace highwater::gui {

namespace {

/// Columns painted together: the raster is column-major and the image row-major, and a strip of both fits
/// into the cache.
constexpr int kStrip = 16;

struct Painted
{
    AllocationIndex allocation = BandRaster::kEmpty;
    QRgb color = 0;
};

/// Most pixels show what the one below or the one to the left shows; only the others cost a look-up.
void paintStrip(
    const BandRaster& raster, const BandRequest& request, int firstColumn, int lastColumn, QImage& image)
{
    std::array<Painted, kStrip> below{};
    for (int row = 0; row < raster.height; ++row) {
        QRgb* line = reinterpret_cast<QRgb*>(image.scanLine(raster.height - 1 - row));
        Painted left;
        for (int x = firstColumn; x < lastColumn; ++x) {
            Painted& last = below[static_cast<std::size_t>(x - firstColumn)];
            const AllocationIndex allocation = raster.at(x, row);
            if (allocation != last.allocation)
                last = {allocation, allocation == left.allocation ? left.color : request.colorOf(allocation)};
            left = last;
            line[x] = last.color;
        }
    }
}

QImage paintRaster(const BandRaster& raster, const BandRequest& request)
{
    QImage image(raster.width, raster.height, QImage::Format_ARGB32_Premultiplied);
    for (int x = 0; x < raster.width; x += kStrip)
        paintStrip(raster, request, x, std::min(x + kStrip, raster.width), image);
    return image;
}

int indexIn(double value, double begin, double end, int count)
{
    const double index = std::floor((value - begin) / (end - begin) * count);
    return index >= 0 && index < count ? static_cast<int>(index) : -1;
}

} // namespace

bool BandRequest::looksLike(const BandRequest& other) const
{
    return analysis == other.analysis && palette == other.palette && stacking == other.stacking
        && emphasis == other.emphasis && scale == other.scale && dark == other.dark;
}

QRgb BandRequest::colorOf(AllocationIndex allocation) const
{
    if (allocation == BandRaster::kEmpty)
        return 0;
    const QRgb shade = palette->shade(allocation, dark);
    return emphasis && !(*emphasis)[allocation] ? BandPalette::faded(shade) : shade;
}

int BandImage::columnAt(double key) const
{
    return indexIn(key, request.xBegin, request.xEnd, raster.width);
}

int BandImage::rowAt(double bytes) const
{
    return indexIn(bytes, request.yBottom, request.yTop, raster.height);
}

AllocationIndex BandImage::allocationAt(double key, double bytes) const
{
    const int column = columnAt(key);
    const int row = rowAt(bytes);
    return column < 0 || row < 0 ? BandRaster::kEmpty : raster.at(column, row);
}

std::shared_ptr<const BandImage> renderBands(const BandRequest& request)
{
    const DeviceAnalysis& analysis = *request.analysis;
    auto result = std::make_shared<BandImage>();
    result->request = request;
    const ByteScale bytes{request.yBottom, (request.yTop - request.yBottom) / request.height};
    result->raster = rasterizeBands(analysis.live,
        pixelColumns(analysis.curve, *request.scale, request.xBegin, request.xEnd, request.width), bytes,
        request.height, request.stacking.get(), request.emphasis.get());
    result->image = paintRaster(result->raster, request);
    return result;
}

} // namespace highwater::gui
