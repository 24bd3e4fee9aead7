#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/allocator_rounding.h"

namespace highwater {

/// The source of a block's size, best first.
enum class SizeSource : std::uint8_t
{
    Snapshot, ///< the snapshot still contains the block
    Rule, ///< derived from the allocator's rule for the free block in which it was placed
    LowerBound, ///< the rounded request; the block may be up to 1 MiB larger, or more with `max_split_size`
};

/// The bytes that a block occupies, and how they are known.
struct OccupiedSize
{
    Bytes bytes = 0;
    SizeSource source = SizeSource::Rule;
};

/// The bytes that the block of each allocation occupies, although a trace records only requests.
///
/// A block is placed at the beginning of a free block, which extends to the next block or the end of the
/// segment. In the small pool and in expandable segments, the allocator always splits off the rest. In the
/// large pool, it does so if more than 1 MiB is left and the request is below `max_split_size`. So the sizes
/// of all blocks allocated in the trace follow from their addresses. Source: `should_split` and
/// `alloc_found_block` in c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.6.
class OccupiedSizes
{
public:
    /// O(events × log live). Trace and table must outlive the object.
    OccupiedSizes(const Trace& trace, const AllocationTable& allocations);

    /// Returns the size of the block in the snapshot, else the size by the rule.
    OccupiedSize sizeOf(AllocationIndex allocation) const;
    /// Returns the size by the rule alone, even if the snapshot contains the block: the requested size if the
    /// rule of the device is unknown. Tests compare both sizes.
    OccupiedSize byRule(AllocationIndex allocation) const;

private:
    /// A block that is larger than its rounded request.
    struct UnsplitBlock
    {
        AllocationIndex allocation;
        Bytes bytes;
    };
    class Sweep;

    Bytes rounded(Bytes requested) const;

    const AllocationTable& m_allocations;
    RoundingSettings m_rounding;
    bool m_hasRounding;
    bool m_alwaysSplits;
    std::vector<UnsplitBlock> m_unsplitBlocks; ///< ordered by allocation
};

} // namespace highwater
