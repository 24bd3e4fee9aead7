#pragma once

#include <memory>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Lays out and paints one picture; runs on any thread. Faster where the last one shows much of the same, as
/// while panning.
std::shared_ptr<const BandImage> renderBands(const BandRequest& request, const BandImage* last = nullptr);

} // namespace highwater::gui
