#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"
#include "core/trace/trace.h"

namespace highwater {

/// The setting by which PyTorch's caching allocator rounds block sizes (`roundup_power2_divisions`).
struct RoundingSettings
{
    /// Number of equal steps between a power of two and the next. Entry i is for sizes from 2^i MiB on;
    /// smaller sizes use the first entry, larger sizes the last. 0 and 1 mean no rounding to steps.
    std::array<std::int64_t, 16> divisions{};

    bool operator==(const RoundingSettings&) const = default;
};

/// Returns the file's settings, or the allocator's defaults if it has none.
RoundingSettings roundingSettings(const TraceMetadata& metadata);

/// Returns the smallest block that the allocator makes for a request: a multiple of 512 bytes, at least 512.
/// With divisions, requests above 512 × divisions get the next step. Negative and impossibly large requests
/// are returned unchanged. This is a lower bound of the occupied block, because a cached block is not split
/// if the remainder is too small. Source: `round_size` in c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.6.
Bytes roundedSize(Bytes requested, const RoundingSettings& settings = {});

/// True if `roundedSize` applies to the sizes of a device. They must be requested bytes of a snapshot, which
/// contains the settings and the final blocks. Host memory has another allocator.
bool hasKnownRounding(const Device& device);

} // namespace highwater
