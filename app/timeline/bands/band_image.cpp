#include "app/timeline/bands/band_image.h"

#include <cmath>

namespace highwater::gui {

namespace {

/// Returns which of `count` equal parts of [begin, end) contains the value; −1 if none does.
int indexIn(double value, double begin, double end, int count)
{
    const double index = std::floor((value - begin) / (end - begin) * count);
    return index >= 0 && index < count ? static_cast<int>(index) : -1;
}

} // namespace

bool BandRequest::looksLike(const BandRequest& other) const
{
    return analysis == other.analysis && palette == other.palette && stacking == other.stacking
        && emphasis == other.emphasis && scale == other.scale && dark == other.dark
        && contrast == other.contrast;
}

QRgb BandRequest::colorOf(AllocationIndex allocation, bool isKept) const
{
    const QRgb shade = palette->shade(allocation, {dark, contrast}, isKept);
    return isFaded(allocation) ? BandPalette::faded(shade, dark) : shade;
}

std::int32_t BandRequest::keptFrom(AllocationIndex allocation) const
{
    return analysis->keptBlocks->keptSince(allocation);
}

int BandImage::columnAtKey(double key) const
{
    return indexIn(key, request.xBegin, request.xEnd, raster.width);
}

AllocationIndex BandImage::allocationAt(double key, double bytes) const
{
    const int column = columnAtKey(key);
    const int row = indexIn(bytes, request.yBottom, request.yTop, raster.height);
    return column < 0 || row < 0 ? BandRaster::kEmpty : raster.at(column, row);
}

} // namespace highwater::gui
