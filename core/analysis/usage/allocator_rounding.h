#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"
#include "core/trace/trace.h"

namespace highwater {

/// The settings by which PyTorch's caching allocator rounds block sizes (`roundup_power2_divisions`).
struct RoundingSettings
{
    /// Number of equal steps between a power of two and the next, for sizes from 1 MiB, 2 MiB, … 32 GiB on. 0
    /// and 1 mean no such rounding. Smaller sizes use the first entry, larger ones the last.
    std::array<std::int64_t, 16> divisions{};

    bool operator==(const RoundingSettings&) const = default;
};

/// Returns the file's settings, or the allocator's defaults if it has none.
RoundingSettings roundingSettings(const TraceMetadata& metadata);

/// Returns the smallest block that the allocator makes for a request: at least 512 bytes and a multiple of
/// 512; with divisions the next step, for requests above 512 × divisions. A lower bound of the block that a
/// request occupies, because a cached block is handed out whole if its remainder is too small to be split
/// off. Source: `round_size` in c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.6.
Bytes roundedSize(Bytes requested, const RoundingSettings& settings = {});

/// True if that rule determines the block sizes of a device's requests. Its sizes must be the requested bytes
/// of a snapshot, which contains the settings and the final blocks, and it must not be host memory, which has
/// its own allocator.
bool hasKnownRounding(const Device& device);

} // namespace highwater
