#include "core/analysis/segments/free_block_origins.h"

#include <algorithm>

namespace highwater {

namespace {

/// Returns all free blocks with their neighbours; `freedAt` and `freed` are not set yet.
std::vector<FreeBlockOrigin> freeBlocksOf(const SegmentState& state)
{
    std::vector<FreeBlockOrigin> origins;
    for (std::uint32_t segment = 0; segment < state.segments.size(); ++segment) {
        const RowRange blocks = state.segments.blocks(segment);
        for (std::uint32_t row = blocks.first; row < blocks.last; ++row) {
            if (!state.blocks[row].isFreeBlock())
                continue;
            FreeBlockOrigin origin{.block = row, .segment = segment};
            if (row > blocks.first)
                origin.below = state.blocks[row - 1].allocation;
            if (row + 1 < blocks.last)
                origin.above = state.blocks[row + 1].allocation;
            origins.push_back(origin);
        }
    }
    return origins;
}

/// The address range of a free block, stored next to the pointer for fast search: every allocation of the
/// trace looks it up.
struct AddressedBlock
{
    Address begin;
    Address end;
    FreeBlockOrigin* origin;
};

/// Finds the allocation that was freed last in each free block; `byAddress` is ascending. The allocation may
/// begin below the free block, if a smaller block now occupies its beginning. It may also span several free
/// blocks.
void findLastFrees(
    const AllocationTable& allocations, std::int64_t event, const std::vector<AddressedBlock>& byAddress)
{
    for (AllocationIndex i = 0; i < allocations.size(); ++i) {
        const std::int32_t death = allocations.death(i);
        if (death > event)
            continue;
        const Address begin = allocations.address(i);
        const Address end = begin + static_cast<Address>(allocations.recordedBytes(i));
        auto candidate = std::ranges::partition_point(
            byAddress, [&](const AddressedBlock& block) { return block.end <= begin; });
        for (; candidate != byAddress.end() && candidate->begin < end; ++candidate)
            if (death > candidate->origin->freedAt) {
                candidate->origin->freedAt = death;
                candidate->origin->freed = i;
            }
    }
}

} // namespace

AllocationIndex FreeBlockOrigin::obstacle(const AllocationTable& allocations) const
{
    if (below == AllocationTable::kNoAllocation || above == AllocationTable::kNoAllocation)
        return below == AllocationTable::kNoAllocation ? above : below;
    return allocations.birth(below) > allocations.birth(above) ? below : above;
}

std::vector<FreeBlockOrigin> largestFreeBlocks(
    const AllocationTable& allocations, const SegmentState& state, std::size_t maxCount)
{
    std::vector<FreeBlockOrigin> origins = freeBlocksOf(state);
    const auto negativeSize = [&](const FreeBlockOrigin& origin) { return -state.blocks[origin.block].size; };
    std::ranges::stable_sort(origins, {}, negativeSize);
    origins.resize(std::min(origins.size(), maxCount));
    std::vector<AddressedBlock> byAddress;
    for (FreeBlockOrigin& origin : origins) {
        const BlockAt block = state.blocks[origin.block];
        byAddress.push_back({block.address, block.end(), &origin});
    }
    std::ranges::sort(byAddress, {}, &AddressedBlock::begin);
    findLastFrees(allocations, state.event, byAddress);
    return origins;
}

} // namespace highwater
