#pragma once

#include <memory>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Lays out and paints one picture; may run on any thread. Faster if `last` shows much of the same, as while
/// panning.
std::shared_ptr<const BandImage> renderBands(const BandRequest& request, const BandImage* last = nullptr);

} // namespace highwater::gui
