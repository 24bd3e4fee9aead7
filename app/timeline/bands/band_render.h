#pragma once

#include <memory>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Lays out and paints one picture; may run on any thread. Columns that `last` already shows at the same
/// scale are reused, as while panning. O(width × log events + pixels), plus the cost of `rasterizeBands`.
std::shared_ptr<const BandImage> renderBands(const BandRequest& request, const BandImage* last = nullptr);

} // namespace highwater::gui
