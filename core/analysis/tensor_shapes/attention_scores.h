#pragma once

#include "core/analysis/device/device_study.h"

namespace highwater {

/// Returns the number of elements in attention's largest score matrix: the largest size of activations and
/// temporaries from attention frames that exceeds `tokens` × `hidden` elements. With `hasHalf`, its elements
/// have 32 bits if blocks of half the size exist too, else 16. 0 if there is none. O(allocations).
std::int64_t scoreElements(const DeviceStudy& study, std::int64_t tokens, std::int64_t hidden, bool hasHalf);

} // namespace highwater
