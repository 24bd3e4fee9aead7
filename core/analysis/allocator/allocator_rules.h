#pragma once

#include "core/analysis/allocator/allocator_settings.h"
#include "core/trace/allocator_sizes.h"

/// How PyTorch's caching allocator divides memory. Source: `get_allocation_size`, `should_split` and
/// `get_free_block` in c10/cuda/CUDACachingAllocator.cpp; unchanged since PyTorch 2.1 except for what the
/// settings select. A "rounded" size is the result of `roundedSize`.
namespace highwater {

/// Pages of expandable segments are mapped and unmapped in units of this size.
constexpr Bytes pageSize(bool isSmall, Bytes largeSegment)
{
    return isSmall ? kSmallSegment : largeSegment;
}

constexpr Bytes roundedUp(Bytes bytes, Bytes unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/// Returns the bytes to ask cudaMalloc for when no cached block serves the request.
constexpr Bytes segmentSize(Bytes rounded, Bytes largeSegment = AllocatorSettings::kDefaultLargeSegment)
{
    if (rounded <= kSmallRequest)
        return kSmallSegment;
    return rounded < kLeastOwnSegmentRequest ? largeSegment : roundedUp(rounded, kOwnSegmentUnit);
}

/// True if the rest of the block becomes a block of its own after the request is served; otherwise the whole
/// block is handed out.
inline bool isWorthSplitting(
    Bytes block, Bytes rounded, bool isSmall, PoolId pool, const AllocatorSettings& settings)
{
    if (settings.unsplitPools.contains(pool))
        return false;
    const bool plain = settings.plainPools.contains(pool) && !settings.plainPoolsSplitFinely;
    if (isSmall || (settings.expandableSegments && !plain))
        return block - rounded >= kSmallestBlock;
    return rounded < settings.maxSplitSize && block - rounded > kSmallRequest;
}

/// True if the best-fitting block may be used: blocks of max_split_size or more serve only requests of at
/// least that size, and only if the request is not much smaller than the block.
inline bool mayServe(Bytes block, Bytes rounded, const AllocatorSettings& settings)
{
    if (settings.maxSplitSize == AllocatorSettings::kUnlimited)
        return true;
    return rounded < settings.maxSplitSize ? block < settings.maxSplitSize
                                           : block - rounded < settings.wholeBlockSlack();
}

} // namespace highwater
