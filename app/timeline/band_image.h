#pragma once

#include <memory>

#include <QImage>

#include "app/timeline/site_palette.h"
#include "app/workspace/device_analysis.h"
#include "core/analysis/event_scale.h"
#include "core/figure/band_raster.h"

namespace highwater::gui {

/// One picture of the dense layer: of what, which part, and how many device pixels.
struct BandRequest
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::shared_ptr<const SitePalette> palette;
    AxisKind axis = AxisKind::Event;
    double xBegin = 0;
    double xEnd = 1;
    double yBottom = 0;
    double yTop = 1;
    int width = 0;
    int height = 0;

    bool operator==(const BandRequest&) const = default;
};

/// The picture, and the numbers behind each of its pixels.
struct BandImage
{
    BandRequest request;
    BandRaster raster;
    QImage image; ///< empty pixels are transparent

    /// Column of the raster at a place of the axis; −1 outside.
    int columnAt(double key) const;
    /// Row of the raster at that many bytes; −1 outside.
    int rowAt(double bytes) const;
    AllocationIndex allocationAt(double key, double bytes) const;
};

/// Lays out and paints one picture; runs on any thread.
std::shared_ptr<const BandImage> renderBands(const BandRequest& request);

} // namespace highwater::gui
