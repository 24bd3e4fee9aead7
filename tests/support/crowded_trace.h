#pragma once

#include <cstdint>
#include <memory>

#include "core/trace/trace.h"

namespace highwater::test {

/// Returns a device with `live` allocations of several stacks live at once, some allocated before recording
/// began. Then, randomly mixed, some are freed in order, some in reverse, some in random order, some never. A
/// few are a thousand times as large as the others, a few have no bytes.
std::shared_ptr<const Trace> crowdedTrace(std::uint32_t seed, std::int64_t live);

} // namespace highwater::test
