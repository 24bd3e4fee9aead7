#pragma once

#include <string>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// Returns a sentence on the most memory that PyTorch had reserved: of both runs if it fell by less than half
/// as much as the peak in use did, else of the later run if that is much more than was reserved at its peak
/// in use. Empty otherwise, and if either file does not record all reserved memory.
std::string reservedPeaksText(const DeviceStudy& before, const DeviceStudy& after);

} // namespace highwater
