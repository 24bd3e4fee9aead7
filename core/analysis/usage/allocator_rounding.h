#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"
#include "core/trace/trace.h"

namespace highwater {

/// How PyTorch's caching allocator was configured to round block sizes (its setting
/// `roundup_power2_divisions`).
struct RoundingSettings
{
    /// Equal steps between a power of two and the next, for sizes from 1 MiB, 2 MiB, … 32 GiB on. 0 and 1: no
    /// such rounding. Smaller sizes use the first entry, larger ones the last.
    std::array<std::int64_t, 16> divisions{};

    bool operator==(const RoundingSettings&) const = default;
};

/// The file's settings; the allocator's defaults where it has none.
RoundingSettings roundingSettings(const TraceMetadata& metadata);

/// Smallest block that the allocator makes for a request: at least 512 bytes, and a multiple of 512; with
/// divisions the next step, for requests of more than 512 × divisions. A lower bound of the block that a
/// request occupies: a cached block is handed out whole if its remainder is too small to be split off.
/// Source: `round_size` in c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.6.
Bytes roundedSize(Bytes requested, const RoundingSettings& settings = {});

/// Whether that rule determines the block sizes of a device's requests: its sizes are requested bytes of a
/// snapshot, which has the settings and the final blocks, and it is not host memory, which has its own
/// allocator.
bool hasKnownRounding(const Device& device);

} // namespace highwater
