#pragma once

#include <memory>
#include <vector>

#include <QFont>
#include <QImage>

#include "app/timeline/bands/band_label.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/theme/band_palette.h"
#include "core/analysis/usage/event_scale.h"
#include "core/figure/raster/band_raster.h"

namespace highwater::gui {

/// One picture of the dense layer: of what, which part, and how many device pixels.
struct BandRequest
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::shared_ptr<const BandPalette> palette;
    std::shared_ptr<const BandGroups> stacking; ///< what is stacked as wholes; null: nothing
    std::shared_ptr<const std::vector<bool>> emphasis; ///< by allocation, false: faded; null: none is
    std::shared_ptr<const EventScale> scale; ///< of the analysis, on any axis
    double xBegin = 0;
    double xEnd = 1;
    double yBottom = 0;
    double yTop = 1;
    int width = 0;
    int height = 0;
    bool dark = false;
    int pixel = 1; ///< of the picture's pixels that make one of the screen's
    QFont labelFont;

    bool operator==(const BandRequest&) const = default;
    /// Whether it shows the same in the same way, whatever the part.
    bool looksLike(const BandRequest& other) const;
    /// Opaque.
    QRgb colorOf(AllocationIndex allocation, bool held) const;
};

/// The picture, and the numbers behind each of its pixels.
struct BandImage
{
    BandRequest request;
    BandRaster raster;
    QImage image; ///< empty pixels are transparent, all others opaque
    std::vector<int> filled; ///< rows of each column, from the bottom, without an empty pixel
    std::vector<BandLabel> labels;
    /// Where steps are narrower than three pixels: a column shows the peak of the steps that it touches, and
    /// this is the least of them, up to which the picture is in full colour. Else empty.
    std::vector<Bytes> lowest;

    /// Column of the raster at a place of the axis; −1 outside.
    int columnAt(double key) const;
    /// Row of the raster at that many bytes; −1 outside.
    int rowAt(double bytes) const;
    AllocationIndex allocationAt(double key, double bytes) const;
};

} // namespace highwater::gui
