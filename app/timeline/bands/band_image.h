#pragma once

#include <memory>
#include <vector>

#include <QFont>
#include <QImage>

#include "app/timeline/bands/band_label.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/theme/band_palette.h"
#include "core/analysis/usage/event_scale.h"
#include "core/figure/layout/step_bars.h"
#include "core/figure/raster/band_raster.h"

namespace highwater::gui {

/// Describes a picture of the bands: the data, the part of the axes, and the size in device pixels. Two equal
/// requests give the same picture.
struct BandRequest
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::shared_ptr<const BandPalette> palette;
    /// Groups that are stacked as a whole; null if each allocation is a band.
    std::shared_ptr<const BandGroups> stacking;
    /// By allocation, false if it is faded; null if nothing is faded.
    std::shared_ptr<const std::vector<bool>> emphasis;
    std::shared_ptr<const EventScale> scale; ///< maps events of the analysis to the x axis
    double xBegin = 0;
    double xEnd = 1;
    double yBottom = 0;
    double yTop = 1;
    int width = 0; ///< in device pixels, as the height
    int height = 0;
    bool dark = false;
    int pixel = 1; ///< pixels of the picture per pixel of the widget, rounded
    QFont labelFont;
    bool contrast = false; ///< stronger colours and seams

    bool operator==(const BandRequest&) const = default;
    /// True if both pictures have the same data and colours; all else may differ.
    bool looksLike(const BandRequest& other) const;
    /// True if only other allocations are emphasised.
    bool isFaded(AllocationIndex allocation) const { return emphasis && !(*emphasis)[allocation]; }
    /// Returns the opaque colour of an allocation, faded if only others are emphasised. `isKept`: its block
    /// was kept from an earlier step.
    QRgb colorOf(AllocationIndex allocation, bool isKept) const;
    /// Returns the event from which on the allocation has the look of kept memory; `KeptBlocks::kNever` if it
    /// never has.
    std::int32_t keptFrom(AllocationIndex allocation) const;
};

/// A finished picture, with the allocation behind each pixel. Immutable and shared between threads.
struct BandImage
{
    BandRequest request;
    BandRaster raster;
    QImage image; ///< empty pixels are transparent, all others opaque
    std::vector<int> filled; ///< number of rows in each column, from the bottom, before the first empty pixel
    std::vector<BandLabel> labels;
    /// The number of steps that are drawn as one if steps are narrow, else 0; see `StepColumns`.
    std::size_t stepsPerGroup = 0;
    /// By column, the peaks of its steps: colours above the lowest are paler, and a line joins the medians.
    /// Empty if steps are wide.
    std::vector<PeakSpread> spreads;

    /// Returns the column of the raster at a position of the axis; −1 if outside.
    int columnAtKey(double key) const;
    /// Returns `BandRaster::kEmpty` outside the picture, and where nothing is drawn.
    AllocationIndex allocationAt(double key, double bytes) const;
};

} // namespace highwater::gui
