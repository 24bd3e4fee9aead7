#include "tests/support/allocator_invariants.h"

#include <gtest/gtest.h>

#include "core/base/text_format.h"

namespace highwater::test {

namespace {

struct Sums
{
    Bytes reserved = 0;
    Bytes allocated = 0;
    std::size_t free = 0;
    std::size_t unmapped = 0;
};

void addBlock(const AllocatorBlocks& blocks, BlockIndex index, Sums& sums)
{
    const SimulatedBlock& block = blocks.block(index);
    const BlockPool& pool = blocks.poolOf(index);
    ASSERT_GT(blocks.sizeOf(index), 0);
    if (block.use == BlockUse::Unmapped) {
        ++sums.unmapped;
        ASSERT_TRUE(blocks.segmentOf(index).expandable);
        ASSERT_TRUE(pool.unmapped.contains({0, block.address, index}));
        return;
    }
    sums.reserved += blocks.sizeOf(index);
    if (block.use == BlockUse::Free) {
        ++sums.free;
        const FreeBlock byAddress{blocks.sizeOf(index), block.address, index};
        const FreeBlock byAge{blocks.sizeOf(index), block.address, index, blocks.segmentOf(index).serial};
        ASSERT_TRUE(pool.free.contains(byAddress) || pool.free.contains(byAge));
    } else {
        sums.allocated += blocks.sizeOf(index);
    }
}

void addSegment(const AllocatorBlocks& blocks, const SimulatedSegment& segment, Sums& sums)
{
    Address at = segment.begin;
    BlockIndex previous = kNoBlock;
    for (BlockIndex index = segment.first; index != kNoBlock; index = blocks.block(index).next) {
        const SimulatedBlock& block = blocks.block(index);
        ASSERT_EQ(block.address, at);
        ASSERT_EQ(block.previous, previous);
        if (previous != kNoBlock && (block.use == BlockUse::Free || block.use == BlockUse::Unmapped)) {
            ASSERT_NE(block.use, blocks.block(previous).use) << "neighbours that are not joined";
        }
        addBlock(blocks, index, sums);
        at += static_cast<Address>(blocks.sizeOf(index));
        previous = index;
    }
    ASSERT_EQ(at, segment.begin + static_cast<Address>(segment.size));
}

/// Checks every block in order, from the lowest unmapped address upwards.
BlockIndex lowestRoomOf(const AllocatorBlocks& blocks, const BlockPool& pool, Bytes size)
{
    const auto isVacant = [&](BlockIndex index) {
        return index != kNoBlock
            && (blocks.block(index).use == BlockUse::Free || blocks.block(index).use == BlockUse::Unmapped);
    };
    for (const FreeBlock& unmapped : pool.unmapped) {
        const BlockIndex previous = blocks.block(unmapped.block).previous;
        const BlockIndex candidate = isVacant(previous) ? previous : unmapped.block;
        Bytes room = 0;
        for (BlockIndex index = candidate; isVacant(index) && room < size; index = blocks.block(index).next)
            room += blocks.sizeOf(index);
        if (room >= size)
            return candidate;
    }
    return kNoBlock;
}

template <typename Chosen>
void expectDisjointWhere(const CachingAllocator& allocator, const Chosen& chosen)
{
    std::map<Address, Address> ends;
    for (const SimulatedSegment& segment : allocator.blocks().segments())
        if (segment.isReserved() && chosen(segment))
            ends[segment.begin] = segment.begin + static_cast<Address>(segment.size);
    Address end = 0;
    for (const auto& [begin, next] : ends) {
        ASSERT_GE(begin, end) << "segments overlap";
        end = next;
    }
}

} // namespace

void expectDisjoint(const CachingAllocator& allocator)
{
    expectDisjointWhere(allocator, [](const SimulatedSegment&) { return true; });
}

void expectSound(const CachingAllocator& allocator)
{
    const AllocatorBlocks& blocks = allocator.blocks();
    Sums sums;
    for (const SimulatedSegment& segment : blocks.segments())
        if (segment.isReserved())
            addSegment(blocks, segment, sums);
    expectDisjointWhere(allocator, [](const SimulatedSegment& segment) { return !segment.expandable; });
    std::size_t free = 0;
    std::size_t unmapped = 0;
    for (const BlockPool& pool : blocks.pools()) {
        free += pool.free.size();
        unmapped += pool.unmapped.size();
    }
    for (std::uint32_t pool = 0; pool < blocks.pools().size(); ++pool)
        for (const Bytes size : {512 * kKiB, 3 * kMiB, 21 * kMiB, 70 * kMiB, 300 * kMiB, kTiB})
            ASSERT_EQ(blocks.findLowestSpace(pool, size), lowestRoomOf(blocks, blocks.pools()[pool], size))
                << formatBytes(size);
    ASSERT_EQ(sums.reserved, allocator.reservedBytes());
    ASSERT_EQ(sums.allocated, allocator.allocatedBytes());
    ASSERT_EQ(sums.free, free);
    ASSERT_EQ(static_cast<std::int64_t>(sums.free), blocks.freeCount());
    ASSERT_EQ(sums.unmapped, unmapped);
    ASSERT_GE(allocator.reservedBytes(), allocator.allocatedBytes());
}

} // namespace highwater::test
