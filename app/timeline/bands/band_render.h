#pragma once

#include <memory>

#include "app/timeline/bands/band_image.h"

namespace highwater::gui {

/// Lays out and paints one picture; runs on any thread.
std::shared_ptr<const BandImage> renderBands(const BandRequest& request);

} // namespace highwater::gui
