#pragma once

#include <memory>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Lays out and paints one picture; may run on any thread. Columns of `last` are reused where they show the
/// same moments, if both pictures have the same data, colours, bytes and height, as while panning. O(width ×
/// log events + pixels), plus the cost of `rasterizeBands`.
std::shared_ptr<const BandImage> renderBands(const BandRequest& request, const BandImage* last = nullptr);

} // namespace highwater::gui
