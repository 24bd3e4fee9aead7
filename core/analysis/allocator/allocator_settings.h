#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "core/analysis/allocator_rounding.h"
#include "core/base/result.h"

namespace highwater {

/// What PyTorch's caching allocator can be told in PYTORCH_CUDA_ALLOC_CONF, as far as it decides how much is
/// reserved. The defaults are the allocator's.
struct AllocatorSettings
{
    static constexpr Bytes kUnlimited = std::numeric_limits<Bytes>::max();

    RoundingSettings rounding;
    Bytes maxSplitSize = kUnlimited; ///< requests from this size on are given whole blocks
    bool expandableSegments = false;
    /// Whether that holds for private pools as well: releases up to about 2.7 give them plain segments.
    bool expandablePrivatePools = false;
    /// Share of the allowed memory above which unused segments are given back; 0: never. Without a memory
    /// fraction it does nothing.
    double garbageCollectionThreshold = 0;
    /// What `set_per_process_memory_fraction` allows, as a share of the device's memory; 0: not called.
    double memoryFraction = 0;

    bool collectsGarbage() const { return garbageCollectionThreshold > 0 && memoryFraction > 0; }
    bool operator==(const AllocatorSettings&) const = default;
};

/// What the run was recorded with: the file's settings; where it has none, expandable segments if it shows
/// some. A memory fraction is recorded nowhere.
AllocatorSettings recordedSettings(const Trace& trace, DeviceIndex device);

/// Changes one setting, named and written as in PYTORCH_CUDA_ALLOC_CONF: `expandable_segments` (true, false),
/// `max_split_size_mb` (more than 20, or "unlimited"), `roundup_power2_divisions` (a power of two, 0 for
/// none, or "[256:1,512:2,>:8]" by size in MiB), `garbage_collection_threshold` and
/// `per_process_memory_fraction` (0 to 1, 0 for none). Fails with BadRequest and what would be right.
Result<AllocatorSettings> withSetting(
    AllocatorSettings settings, std::string_view name, std::string_view value);

/// "expandable_segments:True,max_split_size_mb:128": what differs from the allocator's defaults, as
/// PYTORCH_CUDA_ALLOC_CONF wants it; empty: nothing does.
std::string configurationText(const AllocatorSettings& settings);

} // namespace highwater
