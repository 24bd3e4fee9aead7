#include "core/table/segment_tables.h"

#include <algorithm>
#include <span>

#include "core/table/cells.h"

namespace highwater {

namespace {

TableRow listRow(std::string name, const FreeListFigures& list)
{
    return {std::move(name), countCell(list.segmentCount), bytesCell(list.reservedBytes),
        bytesCell(list.activeBytes), bytesCell(list.pendingBytes), bytesCell(list.freeBytes),
        countCell(list.freeBlockCount), bytesCell(list.largestFree), bytesCell(list.unusedBytes)};
}

/// Returns "default · stream 0 · large": the column is of pools.
std::string poolName(const Trace& trace, const FreeListKey& key)
{
    std::string name = toText(trace, key);
    if (const std::size_t word = name.find(" pool"); word != std::string::npos)
        name.erase(word, std::string_view(" pool").size());
    return name;
}

} // namespace

Table freeListTable(const Trace& trace, const AllocatorMoment& moment)
{
    Table table{"pools", "Pools of the allocator; blocks include what rounding adds",
        {{"Pool", "pool"}, {"Segments", "segments", true}, {"Reserved", "reserved_bytes", true},
            {"In use", "active_bytes", true},
            {"Pending", "pending_free_bytes", true, "Freed, but another stream still uses it"},
            {"Free", "free_bytes", true}, {"Free blocks", "holes", true},
            {"Largest free", "largest_free_bytes", true, "The largest request that fits"},
            {"Unused", "unused_bytes", true, "In segments with no block in use"}}};
    for (const FreeListFigures& list : moment.figures.lists)
        table.rows.push_back(listRow(poolName(trace, list.key), list));
    table.total = listRow("total", moment.figures.all);
    return table;
}

Table freeBlockTable(const AllocatorMoment& moment)
{
    Table table{"holes", "Free blocks by size",
        {{"Size", "size"}, {"Free blocks", "holes", true}, {"Bytes", "bytes", true},
            {"Share", "share_per_mille", true}}};
    const auto row = [&moment](Cell size, std::int64_t count, Bytes bytes) {
        return TableRow{std::move(size), countCell(count), bytesCell(bytes),
            shareCell(bytes, moment.figures.all.freeBytes)};
    };
    for (const FreeBlockClass& sizeClass : moment.figures.freeBlockClasses)
        table.rows.push_back(
            row(Cell(toText(sizeClass)).sortBy(sizeClass.from), sizeClass.count, sizeClass.bytes));
    table.total = row("total", moment.figures.all.freeBlockCount, moment.figures.all.freeBytes);
    return table;
}

Table freeBlockOriginTable(const AllocationTable& allocations, const CallSites& sites,
    const SegmentState& state, const std::vector<FreeBlockOrigin>& freeBlocks)
{
    Table table{"largest_holes", "The largest free blocks, and the blocks in use next to them",
        {{"Free", "free_bytes", true},
            {"Free since event", "freed_event", true, "The event that last freed memory in it"},
            {"Segment", "segment_bytes", true},
            {"Neighbour in use", "pin_site", false, "The younger of the two blocks next to the free one"},
            {"Its size", "pin_bytes", true}, {"In use since event", "pin_event", true}}};
    for (const FreeBlockOrigin& freeBlock : freeBlocks) {
        const AllocationIndex obstacle = freeBlock.obstacle(allocations);
        TableRow row{bytesCell(state.blocks[freeBlock.block].size),
            freeBlock.freed == AllocationTable::kNoAllocation ? Cell("never used in the trace")
                                                              : eventCell(freeBlock.freedAt),
            bytesCell(state.segments[freeBlock.segment].range.size)};
        if (obstacle == AllocationTable::kNoAllocation) {
            row.insert(row.end(), {Cell("nothing (unused segment)"), Cell(), Cell()});
        } else {
            const CallSite& site = sites.site(sites.of(obstacle));
            row.insert(row.end(),
                {Cell(site.label).explain(site.key), bytesCell(allocations.bytes(obstacle)),
                    eventCell(allocations.birth(obstacle))});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table partlyFreeTable(const AllocationTable& allocations, const CallSites& sites,
    const AllocatorMoment& moment, std::size_t most)
{
    Table table{"pinned", "Segments with free memory, and the blocks in use in them",
        {{"Free", "free_bytes", true}, {"Segment", "segment_bytes", true}, {"In use", "live_bytes", true},
            {"Blocks", "blocks", true}, {"Oldest block from", "oldest_site"},
            {"Allocated at event", "birth_event", true}, {"Largest block from", "largest_site"}}};
    const auto siteOf = [&](AllocationIndex allocation) {
        if (allocation == AllocationTable::kNoAllocation)
            return Cell();
        const CallSite& site = sites.site(sites.of(allocation));
        return Cell(site.label).explain(site.key);
    };
    const std::vector<HeldSegment>& all = moment.figures.partlyFree;
    const std::size_t shown = most > 0 ? std::min(most, all.size()) : all.size();
    for (const HeldSegment& held : std::span(all).first(shown)) {
        const SegmentAt& segment = moment.state.segments[held.segment];
        table.rows.push_back({bytesCell(segment.freeBytes), bytesCell(segment.range.size),
            bytesCell(segment.liveBytes()), countCell(held.liveBlockCount), siteOf(held.oldest),
            held.liveBlockCount > 0 ? eventCell(allocations.birth(held.oldest)) : Cell(),
            siteOf(held.largest)});
    }
    if (shown < all.size())
        table.leftOut = leftOutText(all.size() - shown, "segments");
    return table;
}

} // namespace highwater
