#pragma once

#include "core/analysis/device/device_study.h"

namespace highwater {

/// Returns the number of elements in attention's largest score matrix; 0 if there is none. It is the largest
/// activation or temporary allocated by attention frames, if larger than `tokens` × `hidden` elements. Its
/// elements have 32 bits. With `hasHalf`, they have 16 bits unless blocks of half the size exist, too.
/// O(allocations × log sizes).
std::int64_t scoreElements(const DeviceStudy& study, std::int64_t tokens, std::int64_t hidden, bool hasHalf);

} // namespace highwater
