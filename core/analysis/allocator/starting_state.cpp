#include "core/analysis/allocator/starting_state.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/analysis/allocator/allocator_rules.h"

namespace highwater {

namespace {

/// Where the size of an address space is unknown, mapped ranges further apart than this, which is more than
/// any device's memory, are in different ones.
constexpr Bytes kWidestGap = 4 * kTiB;

struct Piece
{
    Bytes size = 0;
    BlockUse use = BlockUse::Free;
    AllocationIndex owner = AllocationTable::kNoAllocation;
};

/// Cuts the block, which must not be in a free list, into the pieces. What remains after the last piece gets
/// the use `rest`.
void cutIntoPieces(
    CachingAllocator& allocator, BlockIndex block, const std::vector<Piece>& pieces, BlockUse rest)
{
    const auto adoptPiece = [&](BlockIndex part, const Piece& piece) {
        if (piece.use == BlockUse::Allocated)
            allocator.adoptOwner(part, piece.owner);
        else if (piece.use == BlockUse::Free)
            allocator.adoptFree(part);
        else
            allocator.adoptUnmapped(part);
    };
    for (const Piece& piece : pieces) {
        const bool isLast = piece.size >= allocator.blocks().sizeOf(block);
        const BlockIndex next = isLast ? kNoBlock : allocator.blocks().split(block, piece.size);
        adoptPiece(block, piece);
        block = next;
        if (isLast)
            return;
    }
    adoptPiece(block, {0, rest});
}

/// Copies the segments of one state into an allocator.
class Layout
{
public:
    Layout(CachingAllocator& allocator, const AllocationScript& script, const RemovedAllocations& removed)
        : m_allocator(allocator)
        , m_script(script)
        , m_state(script.start)
        , m_removed(removed)
    {
    }

    void layOut()
    {
        for (const SegmentAt& segment : m_state.segments) {
            if (segment.range.expandable)
                m_mapped[servingKey(segment.range)].push_back(segment);
            else
                layOut(segment);
        }
        if (!m_mapped.empty())
            findLowestPages();
        for (const auto& [key, segments] : m_mapped)
            layOutRegions(key, segments);
    }

private:
    bool isRemoved(const BlockAt& block) const
    {
        return block.allocation < m_removed.size() && m_removed[block.allocation];
    }
    ServingKey servingKey(const MappedRange& range) const
    {
        return highwater::servingKey(*m_script.trace, range);
    }

    BlockIndex adopt(const ServingKey& key, Address begin, Bytes size, bool expandable)
    {
        return m_allocator.adopt({0, key.stream, key.pool}, key.isSmall, begin, size, expandable);
    }

    void layOut(const SegmentAt& segment)
    {
        if (isVacated(segment))
            return;
        std::vector<Piece> pieces;
        const ServingKey key = servingKey(segment.range);
        const bool isLarge = !key.isSmall;
        for (std::uint32_t b = segment.blocks.first; b < segment.blocks.last; ++b) {
            const BlockAt& block = m_state.blocks[b];
            const bool isRest
                = isLarge && b > segment.blocks.first && belongsTo(m_state.blocks[b - 1], block);
            if (isRest)
                pieces.back().size += block.size;
            else if (block.isFreeBlock() || isRemoved(block))
                pieces.push_back({block.size});
            else
                pieces.push_back({block.size, BlockUse::Allocated, block.allocation});
        }
        cutIntoPieces(
            m_allocator, adopt(key, segment.range.begin, segment.range.size, false), pieces, BlockUse::Free);
    }

    /// True if the free block is really the end of the live block before it, whose recorded size is only a
    /// lower bound. The large pool has no free blocks that small, and does not split blocks for requests of
    /// max_split_size and more.
    bool belongsTo(const BlockAt& block, const BlockAt& next) const
    {
        if (block.sizeSource != SizeSource::LowerBound || !next.isFreeBlock() || block.isFreeBlock())
            return false;
        const bool isWholeBlock = block.size >= m_script.settings.maxSplitSize;
        return isWholeBlock ? next.size < m_script.settings.wholeBlockSlack() : next.size <= kSmallRequest;
    }

    /// True if the segment had live blocks, and all of them were removed.
    bool isVacated(const SegmentAt& segment) const
    {
        bool vacated = false;
        for (const BlockAt& block : m_state.blocksOf(segment)) {
            if (!block.isFreeBlock() && !isRemoved(block))
                return false;
            vacated = vacated || !block.isFreeBlock();
        }
        return vacated;
    }

    /// Finds the lowest page that the run maps later, for each kind of request.
    void findLowestPages()
    {
        for (const RecordedSegment& segment : m_script.segments) {
            const DeviceIndex device = m_script.allocations->device();
            const MappedRange range = rangeOfEvent(*m_script.trace, device, segment.event);
            if (!range.expandable)
                continue;
            const auto [entry, isNew] = m_lowest.try_emplace(servingKey(range), range.begin);
            entry->second = std::min(entry->second, range.begin);
        }
    }

    void layOutRegions(const ServingKey& key, const std::vector<SegmentAt>& segments)
    {
        for (std::size_t first = 0; first < segments.size();) {
            std::size_t last = first + 1;
            while (last < segments.size()
                && isOneSpace(
                    segments[first].range.begin, segments[last - 1].range.end(), segments[last].range.begin))
                ++last;
            layOutRegion(key, {segments.data() + first, last - first});
            first = last;
        }
    }

    /// True if a range at `begin`, which follows one that ends at `end`, is in the address space that begins
    /// at `first`.
    bool isOneSpace(Address first, Address end, Address begin) const
    {
        const auto space = static_cast<Address>(m_script.addressSpace);
        return space > 0 ? begin - first < space : begin - end <= static_cast<Address>(kWidestGap);
    }

    void layOutRegion(const ServingKey& key, std::span<const SegmentAt> segments)
    {
        Address begin = segments.front().range.begin;
        const auto lowest = m_lowest.find(key);
        if (lowest != m_lowest.end() && lowest->second < begin
            && isOneSpace(lowest->second, lowest->second, begin))
            begin = lowest->second;
        const Bytes page = pageSize(key.isSmall, m_script.settings.largeSegment);
        std::vector<Piece> pieces;
        Address coveredEnd = begin;
        for (const SegmentAt& segment : segments) {
            if (coveredEnd < segment.range.begin)
                pieces.push_back({static_cast<Bytes>(segment.range.begin - coveredEnd), BlockUse::Unmapped});
            for (const BlockAt& block : m_state.blocksOf(segment))
                addMapped(pieces, block, begin, page);
            coveredEnd = segment.range.end();
        }
        const BlockIndex region = adopt(key, begin, static_cast<Bytes>(coveredEnd - begin), true);
        cutIntoPieces(m_allocator, region, pieces, BlockUse::Unmapped);
    }

    void addMapped(std::vector<Piece>& pieces, const BlockAt& block, Address regionBegin, Bytes page) const
    {
        if (block.isFreeBlock()) {
            pieces.push_back({block.size});
        } else if (!isRemoved(block)) {
            pieces.push_back({block.size, BlockUse::Allocated, block.allocation});
        } else {
            const auto offset = static_cast<Bytes>(block.address - regionBegin);
            const Bytes end = offset + block.size;
            const Bytes firstPage = std::min(roundedUp(offset, page), end);
            const Bytes lastPage = std::max(firstPage, end / page * page);
            addPiece(pieces, firstPage - offset, BlockUse::Free);
            addPiece(pieces, lastPage - firstPage, BlockUse::Unmapped);
            addPiece(pieces, end - lastPage, BlockUse::Free);
        }
    }

    static void addPiece(std::vector<Piece>& pieces, Bytes size, BlockUse use)
    {
        if (size > 0)
            pieces.push_back({size, use});
    }

    CachingAllocator& m_allocator;
    const AllocationScript& m_script;
    const SegmentState& m_state;
    const RemovedAllocations& m_removed;
    std::map<ServingKey, std::vector<SegmentAt>> m_mapped;
    std::map<ServingKey, Address> m_lowest;
};

} // namespace

void layOut(CachingAllocator& allocator, const AllocationScript& script, const RemovedAllocations& removed)
{
    Layout(allocator, script, removed).layOut();
}

} // namespace highwater
