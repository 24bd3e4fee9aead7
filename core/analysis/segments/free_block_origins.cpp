#include "core/analysis/segments/free_block_origins.h"

#include <algorithm>

namespace highwater {

namespace {

std::vector<FreeBlockOrigin> holesOf(const SegmentState& state)
{
    std::vector<FreeBlockOrigin> holes;
    for (std::uint32_t segment = 0; segment < state.segments.size(); ++segment) {
        const RowRange blocks = state.segments.blocks(segment);
        for (std::uint32_t row = blocks.first; row < blocks.last; ++row) {
            if (!state.blocks[row].isHole())
                continue;
            FreeBlockOrigin hole{.block = row, .segment = segment};
            if (row > blocks.first)
                hole.below = state.blocks[row - 1].allocation;
            if (row + 1 < blocks.last)
                hole.above = state.blocks[row + 1].allocation;
            holes.push_back(hole);
        }
    }
    return holes;
}

/// The address range of a free block, copied next to it because every allocation of the trace is compared
/// with all of them.
struct PlacedHole
{
    Address begin;
    Address end;
    FreeBlockOrigin* hole;
};

/// Finds the last allocation that was freed in each free block; `byAddress` is ascending. The allocation may
/// begin below the free block, if a smaller one took its place there, and it may span several free blocks.
void findFrees(
    const AllocationTable& allocations, std::int64_t event, const std::vector<PlacedHole>& byAddress)
{
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        const std::int32_t death = allocations.death(i);
        if (death > event)
            continue;
        const Address begin = allocations.address(i);
        const Address end = begin + static_cast<Address>(allocations.recordedBytes(i));
        auto placed = std::ranges::partition_point(
            byAddress, [&](const PlacedHole& each) { return each.end <= begin; });
        for (; placed != byAddress.end() && placed->begin < end; ++placed)
            if (death > placed->hole->freedAt) {
                placed->hole->freedAt = death;
                placed->hole->freed = i;
            }
    }
}

} // namespace

AllocationIndex FreeBlockOrigin::pin(const AllocationTable& allocations) const
{
    if (below == AllocationTable::kNoAllocation || above == AllocationTable::kNoAllocation)
        return below == AllocationTable::kNoAllocation ? above : below;
    return allocations.birth(below) > allocations.birth(above) ? below : above;
}

std::vector<FreeBlockOrigin> largestHoles(
    const AllocationTable& allocations, const SegmentState& state, std::size_t most)
{
    std::vector<FreeBlockOrigin> holes = holesOf(state);
    const auto sizeOf = [&](const FreeBlockOrigin& hole) { return -state.blocks[hole.block].size; };
    std::ranges::stable_sort(holes, {}, sizeOf);
    holes.resize(std::min(holes.size(), most));
    std::vector<PlacedHole> byAddress;
    for (FreeBlockOrigin& hole : holes) {
        const BlockAt block = state.blocks[hole.block];
        byAddress.push_back({block.address, block.end(), &hole});
    }
    std::ranges::sort(byAddress, {}, &PlacedHole::begin);
    findFrees(allocations, state.event, byAddress);
    return holes;
}

} // namespace highwater
