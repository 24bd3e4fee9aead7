#pragma once

#include "core/analysis/allocator/allocator_settings.h"
#include "core/analysis/allocator/allocator_sizes.h"

/// How PyTorch's caching allocator cuts memory up. Source: `get_allocation_size`, `should_split` and
/// `get_free_block` in c10/cuda/CUDACachingAllocator.cpp; the same from PyTorch 2.1 on but for what the
/// settings tell. "Rounded" is what `roundedSize` makes of a request.
namespace highwater {

/// Pages of expandable segments are mapped and unmapped in units of this size.
constexpr Bytes pageSize(bool small, Bytes largeSegment)
{
    return small ? kSmallSegment : largeSegment;
}

constexpr Bytes roundedUp(Bytes bytes, Bytes unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/// What cudaMalloc is asked for where no cached block serves the request.
constexpr Bytes segmentSize(Bytes rounded, Bytes largeSegment = AllocatorSettings::kDefaultLargeSegment)
{
    if (rounded <= kSmallRequest)
        return kSmallSegment;
    return rounded < kOwnSegmentFrom ? largeSegment : roundedUp(rounded, kOwnSegmentUnit);
}

/// Whether what the request leaves of the block becomes a block of its own; otherwise it is given whole.
inline bool isWorthSplitting(
    Bytes block, Bytes rounded, bool small, PoolId pool, const AllocatorSettings& settings)
{
    if (settings.unsplitPools.contains(pool))
        return false;
    const bool plain = settings.plainPools.contains(pool) && !settings.plainPoolsSplitFinely;
    if (small || (settings.expandableSegments && !plain))
        return block - rounded >= kSmallestBlock;
    return rounded < settings.maxSplitSize && block - rounded > kSmallRequest;
}

/// Whether the best fitting block may be taken: blocks from max_split_size on serve only requests from there
/// on, and those only if they are not much smaller.
inline bool mayServe(Bytes block, Bytes rounded, const AllocatorSettings& settings)
{
    if (settings.maxSplitSize == AllocatorSettings::kUnlimited)
        return true;
    return rounded < settings.maxSplitSize ? block < settings.maxSplitSize
                                           : block - rounded < settings.wholeBlockSlack();
}

} // namespace highwater
