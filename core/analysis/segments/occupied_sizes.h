#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/allocator_rounding.h"

namespace highwater {

/// How the size of an allocation's block is known, best first.
enum class SizeSource : std::uint8_t
{
    Snapshot, ///< the snapshot still has the block
    Rule, ///< follows from the allocator's rule for the hole in which the block was placed
    LowerBound, ///< the rounded request: the block may have kept up to 1 MiB more
};

struct OccupiedSize
{
    Bytes bytes = 0;
    SizeSource source = SizeSource::Rule;
};

/// Bytes that the block of each allocation occupies.
///
/// A trace has requests, not blocks. But a block is placed at the beginning of a hole, which reaches to the
/// next block or the end of the segment, and the allocator splits off the rest of the hole by a rule that
/// depends on nothing else: in the small pool and in expandable segments always, in the large pool when more
/// than 1 MiB is left and the request is below `max_split_size`. So the sizes of all blocks born in the trace
/// follow from their addresses. Source: `should_split` and `alloc_found_block` in
/// c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.6.
class OccupiedSizes
{
public:
    /// O(events × log live). Trace and table must outlive it.
    OccupiedSizes(const Trace& trace, const AllocationTable& allocations);

    OccupiedSize of(AllocationIndex allocation) const;
    /// By the rule only, even where the snapshot has the block: for checking one against the other.
    OccupiedSize byRule(AllocationIndex allocation) const;

private:
    /// A block that is larger than its rounded request.
    struct Kept
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
    std::vector<Kept> m_kept; ///< by allocation
};

} // namespace highwater
