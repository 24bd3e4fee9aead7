#include "core/analysis/segments/mapped_ranges.h"

#include <algorithm>
#include <limits>

#include "core/trace/allocator_sizes.h"

namespace highwater {

namespace {

/// Infers the type of a range from its size. The large pool maps expandable segments in multiples of
/// `kLargeSegment`. The small pool maps pages of `kSmallSegment`, several of which may be unmapped at once.
SegmentType typeOf(Bytes size, bool expandable)
{
    const bool isSmall = expandable ? size % kLargeSegment != 0 : size <= kSmallSegment;
    return isSmall ? SegmentType::Small : SegmentType::Large;
}

bool isEmptyOrWraps(Address begin, Bytes size)
{
    return size <= 0 || static_cast<Address>(size) > std::numeric_limits<Address>::max() - begin;
}

/// Returns the default pool if the trace has no other; else isNone().
PoolId defaultPoolIfOnly(const Trace& trace)
{
    return trace.pools.size() == 1 && trace.pools[0].isDefault() ? PoolId(std::uint32_t{0}) : PoolId();
}

/// True if the right piece continues the left one of an expandable segment.
bool canJoin(const MappedRange& left, const MappedRange& right)
{
    return left.expandable && right.expandable && left.end() == right.begin && left.stream == right.stream;
}

} // namespace

const MappedRange* MappedRanges::at(Address address) const
{
    const Position found = firstEndingAfter(address);
    return found != m_ranges.end() && m_ranges[found].begin <= address ? &m_ranges[found] : nullptr;
}

MappedRanges::Position MappedRanges::firstEndingAfter(Address address) const
{
    return m_ranges.partitionPoint([address](const MappedRange& range) { return range.end() <= address; });
}

bool MappedRanges::tryAdd(const MappedRange& range)
{
    if (isEmptyOrWraps(range.begin, range.size))
        return false;
    const Position after = firstEndingAfter(range.begin);
    const MappedRange* const right = after == m_ranges.end() ? nullptr : &m_ranges[after];
    if (right && right->begin < range.end())
        return false;
    const Position before = after == m_ranges.begin() ? m_ranges.end() : m_ranges.previous(after);
    const MappedRange* const left = before == m_ranges.end() ? nullptr : &m_ranges[before];
    const bool joinsRight = right && canJoin(range, *right);
    if (left && canJoin(*left, range)) {
        const bool joinsAll = joinsRight && left->pool == right->pool && left->type == right->type;
        m_ranges.edit(before).size += range.size + (joinsAll ? right->size : 0);
        if (joinsAll)
            m_ranges.erase(after);
    } else if (joinsRight) {
        MappedRange& grown = m_ranges.edit(after);
        grown.begin = range.begin;
        grown.size += range.size;
    } else {
        m_ranges.insert(after, range);
    }
    return true;
}

bool MappedRanges::remove(Address begin, Bytes size)
{
    if (isEmptyOrWraps(begin, size))
        return false;
    const Address end = begin + static_cast<Address>(size);
    Bytes missing = size;
    for (Position position = firstEndingAfter(begin);
         position != m_ranges.end() && m_ranges[position].begin < end;) {
        MappedRange& range = m_ranges.edit(position);
        const Address from = std::max(begin, range.begin);
        const Address to = std::min(end, range.end());
        missing -= static_cast<Bytes>(to - from);
        MappedRange right = range;
        right.begin = to;
        right.size = static_cast<Bytes>(range.end() - to);
        range.size = static_cast<Bytes>(from - range.begin);
        if (range.size == 0 && right.size == 0) {
            position = m_ranges.erase(position);
            continue;
        }
        if (range.size == 0)
            range = right;
        else if (right.size > 0)
            m_ranges.insert(m_ranges.next(position), right);
        // If bytes remain on the right, the removed bytes end within this range.
        if (right.size > 0)
            break;
        position = m_ranges.next(position);
    }
    return missing == 0;
}

MappedRanges finalRanges(const Trace& trace, DeviceIndex device)
{
    std::vector<MappedRange> segments;
    for (const Segment& segment : trace.segmentsOf(device))
        segments.push_back({segment.address, segment.totalSize, segment.stream,
            segment.pool.isNone() ? defaultPoolIfOnly(trace) : segment.pool, segment.type,
            segment.expandable});
    // If two segments overlap, the one with the lower address is kept, whatever their order in the file.
    std::ranges::stable_sort(segments, {}, &MappedRange::begin);
    MappedRanges ranges;
    for (const MappedRange& range : segments)
        ranges.tryAdd(range);
    return ranges;
}

MappedRange rangeOfEvent(const Trace& trace, DeviceIndex device, std::int64_t event)
{
    const MemoryEvent row = trace.events.row(trace.row(device, event));
    MappedRange range;
    range.begin = row.address;
    range.size = row.size;
    range.stream = row.stream;
    range.pool = row.pool.isNone() ? defaultPoolIfOnly(trace) : row.pool;
    range.expandable = row.action == Action::SegmentMap || row.action == Action::SegmentUnmap;
    range.type = typeOf(row.size, range.expandable);
    return range;
}

bool applyChange(MappedRanges& ranges, Action action, const MappedRange& range)
{
    return isReservingAction(action) ? ranges.tryAdd(range) : ranges.remove(range.begin, range.size);
}

bool undoChange(MappedRanges& ranges, Action action, const MappedRange& range)
{
    return isReservingAction(action) ? ranges.remove(range.begin, range.size) : ranges.tryAdd(range);
}

} // namespace highwater
