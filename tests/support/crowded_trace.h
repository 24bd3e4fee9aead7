#pragma once

#include <cstdint>
#include <memory>

#include "core/trace/trace.h"

namespace highwater::test {

/// One device with so many allocations of several stacks live at once: some older than the trace; then, in
/// turns by chance, some are freed in order, some in reverse, some as chance has it, some never. A few are a
/// thousand times as large as the others, a few have no bytes.
std::shared_ptr<const Trace> crowdedTrace(std::uint32_t seed, std::int64_t live);

} // namespace highwater::test
