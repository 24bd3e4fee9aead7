#pragma once

#include "core/analysis/device/device_study.h"

namespace highwater {

/// Elements of the largest matrix of attention's scores: the largest size of activations and temporaries
/// whose frames speak of attention and that is more than `tokens` × `hidden`. With `hasHalf` its elements
/// have 32 bits where half the size is among them too, else 16. 0: there is none. O(allocations).
std::int64_t scoreElements(const DeviceStudy& study, std::int64_t tokens, std::int64_t hidden, bool hasHalf);

} // namespace highwater
