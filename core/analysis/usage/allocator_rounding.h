#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"
#include "core/trace/trace.h"

namespace highwater {

/// How PyTorch's caching allocator was told to round the sizes of blocks (its setting
/// `roundup_power2_divisions`).
struct RoundingSettings
{
    /// Equal steps between a power of two and the next, for sizes from 1 MiB, 2 MiB, … 32 GiB on. 0 and 1: no
    /// such rounding. Smaller sizes go by the first, larger ones by the last.
    std::array<std::int64_t, 16> divisions{};

    bool operator==(const RoundingSettings&) const = default;
};

/// What the file says; the allocator's default where it says nothing.
RoundingSettings roundingSettings(const TraceMetadata& metadata);

/// Smallest block that the allocator makes for a request: at least 512 bytes, and a multiple of 512; with
/// divisions the next step, for requests of more than 512 × divisions. A lower bound of the block that a
/// request occupies: a cached block is handed out whole where what would be left of it is not worth splitting
/// off. Source: `round_size` in c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.6.
Bytes roundedSize(Bytes requested, const RoundingSettings& settings = {});

/// Whether that rule says what a device's requests occupy: its sizes are requested bytes of a snapshot, which
/// has the settings and the final blocks, and it is no host memory, which has an allocator of its own.
bool hasKnownRounding(const Device& device);

} // namespace highwater
