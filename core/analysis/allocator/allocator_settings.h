#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/result.h"
#include "core/trace/allocator_sizes.h"

namespace highwater {

/// The settings of PyTorch's caching allocator (PYTORCH_CUDA_ALLOC_CONF) that affect how much memory is
/// reserved. The defaults are the allocator's.
struct AllocatorSettings
{
    static constexpr Bytes kUnlimited = std::numeric_limits<Bytes>::max();
    static constexpr Bytes kDefaultLargeSegment = kLargeSegment;

    RoundingSettings rounding;
    Bytes maxSplitSize = kUnlimited; ///< requests from this size on get whole blocks of plain segments
    /// Size of the segments for requests above 1 and below 10 MiB, and of the pages of expandable segments
    /// for requests above 1 MiB.
    Bytes largeSegment = kDefaultLargeSegment;
    /// A block of `maxSplitSize` or more may exceed its request by less than this; 0 for `largeSegment`.
    Bytes maxNonSplitRounding = 0;
    bool expandableSegments = false;
    /// Share of the memory allowed by `memoryFraction` above which unused segments are returned to the
    /// driver; 0 for never. Without a memory fraction it has no effect.
    double garbageCollectionThreshold = 0;
    /// Share of the device's memory that the process may use; 0 if it is not limited.
    double memoryFraction = 0;
    /// Address space of an expandable segment, as bytes or as a share of the device's memory; a larger
    /// request then fails. If both are 0, it is 9/8 of that memory, or more for a larger request.
    Bytes segmentReserve = 0;
    double segmentReserveShare = 0;
    /// A request that would exceed the device's memory fails at once: no cache is returned for it, and no
    /// event records it. A memory fraction comes first, and fails in the usual way.
    bool throwOnCudaMallocOom = false;

    /// Private pools that have plain segments although expandable ones are enabled.
    std::set<PoolId> plainPools;
    /// True if plain private pools split off every remainder of at least 512 bytes, as pools of expandable
    /// segments do.
    bool plainPoolsSplitFinely = false;
    /// Among free blocks of one size, those of the oldest segment are used first, as PyTorch 2.15 does; else
    /// the lowest address.
    bool isOldestSegmentFirst = false;
    /// Private pools whose blocks are never split: those of a MemPool with `no_split`.
    std::set<PoolId> unsplitPools;

    bool collectsGarbage() const { return garbageCollectionThreshold > 0 && memoryFraction > 0; }
    Bytes wholeBlockSlack() const { return maxNonSplitRounding > 0 ? maxNonSplitRounding : largeSegment; }
    /// Returns the set address space of an expandable segment, at most 9/8 of the device's memory; 0 if none
    /// is set, or if the device's memory is needed and unknown (0).
    Bytes segmentReserveOn(Bytes deviceMemory) const;
    bool usesPages(PoolId pool) const { return expandableSegments && !plainPools.contains(pool); }
    bool operator==(const AllocatorSettings&) const = default;
};

/// Reads `roundup_power2_divisions`: a power of two for all sizes, 0 for none, or a list like
/// "[256:1,512:2,>:8]" by size in MiB. An entry applies to its own interval only, but the first one also to
/// all smaller sizes, and ">" to all sizes above the last entry. Before PyTorch 2.10, ">" also replaced that
/// last entry (`restFromLast`). Nullopt if the text is not valid.
std::optional<RoundingSettings> divisionsFrom(std::string_view text, bool restFromLast = false);

/// Changes one setting, named and written as in PYTORCH_CUDA_ALLOC_CONF: `expandable_segments` (true, false),
/// `max_split_size_mb` (no less than a large segment, or "unlimited"), `max_non_split_rounding_mb` (no less
/// than a large segment), `large_segment_size_mb` (11 to 1048576, and not above the two before),
/// `roundup_power2_divisions` (see `divisionsFrom`), `garbage_collection_threshold` (below 1, 0 for none),
/// `per_process_memory_fraction` (0 to 1, 0 for none), `expandable_segments_reserve` (a share such as 0.5, or
/// GiB such as 40G) and `throw_on_cudamalloc_oom` (true, false). Fails with BadRequest and a message that
/// names valid values.
Result<AllocatorSettings> withSetting(
    AllocatorSettings settings, std::string_view name, std::string_view value);

/// Returns the settings that differ from the allocator's defaults, in the syntax of PYTORCH_CUDA_ALLOC_CONF
/// ("expandable_segments:True,max_split_size_mb:128"); empty if none differs. Omits what no option sets, such
/// as the private pools.
std::string configurationText(const AllocatorSettings& settings);

/// Splits the value of PYTORCH_CUDA_ALLOC_CONF at the commas outside brackets, and removes white space and
/// empty options, as PyTorch does.
std::vector<std::string> splitOptions(std::string_view text);

} // namespace highwater
