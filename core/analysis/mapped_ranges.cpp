#include "core/analysis/mapped_ranges.h"

#include <algorithm>
#include <limits>

namespace highwater {

namespace {

/// Segments of the small pool are this large, those of the large one larger.
constexpr Bytes kSmallSegment = 2 * kMiB;
/// Pages of expandable segments in the large pool; in the small one they are as large as its segments, and
/// several can be given back at once.
constexpr Bytes kLargePage = 20 * kMiB;

SegmentType typeOf(Bytes size, bool expandable)
{
    const bool small = expandable ? size % kLargePage != 0 : size <= kSmallSegment;
    return small ? SegmentType::Small : SegmentType::Large;
}

bool wraps(Address begin, Bytes size)
{
    return size <= 0 || static_cast<Address>(size) > std::numeric_limits<Address>::max() - begin;
}

PoolId onlyPool(const Trace& trace)
{
    return trace.pools.size() == 1 && trace.pools[0].isDefault() ? PoolId(std::uint32_t{0}) : PoolId();
}

bool joins(const MappedRange& left, const MappedRange& right)
{
    return left.expandable && right.expandable && left.end() == right.begin && left.stream == right.stream;
}

} // namespace

const MappedRange* MappedRanges::at(Address address) const
{
    const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
        [](Address wanted, const MappedRange& range) { return wanted < range.begin; });
    if (after == m_ranges.begin())
        return nullptr;
    const MappedRange& range = *(after - 1);
    return address < range.end() ? &range : nullptr;
}

MappedRanges::Iterator MappedRanges::firstEndingAfter(Address address)
{
    return std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
        [](Address wanted, const MappedRange& range) { return wanted < range.end(); });
}

bool MappedRanges::add(const MappedRange& range)
{
    if (wraps(range.begin, range.size))
        return false;
    auto after = firstEndingAfter(range.begin);
    if (after != m_ranges.end() && after->begin < range.end())
        return false;
    const bool joinsRight = after != m_ranges.end() && joins(range, *after);
    if (after != m_ranges.begin() && joins(*(after - 1), range)) {
        auto left = after - 1;
        left->size += range.size;
        if (joinsRight && left->pool == after->pool && left->type == after->type) {
            left->size += after->size;
            m_ranges.erase(after);
        }
    } else if (joinsRight) {
        after->begin = range.begin;
        after->size += range.size;
    } else {
        m_ranges.insert(after, range);
    }
    return true;
}

bool MappedRanges::remove(Address begin, Bytes size)
{
    if (wraps(begin, size))
        return false;
    const Address end = begin + static_cast<Address>(size);
    Bytes missing = size;
    for (auto range = firstEndingAfter(begin); range != m_ranges.end() && range->begin < end;) {
        const Address from = std::max(begin, range->begin);
        const Address to = std::min(end, range->end());
        missing -= static_cast<Bytes>(to - from);
        MappedRange right = *range;
        right.begin = to;
        right.size = static_cast<Bytes>(range->end() - to);
        range->size = static_cast<Bytes>(from - range->begin);
        if (range->size == 0 && right.size == 0) {
            range = m_ranges.erase(range);
        } else if (range->size == 0) {
            *range++ = right;
        } else if (right.size == 0) {
            ++range;
        } else {
            range = m_ranges.insert(range + 1, right) + 1;
        }
    }
    return missing == 0;
}

MappedRanges finalRanges(const Trace& trace, DeviceIndex device)
{
    std::vector<MappedRange> held;
    const RowRange rows = trace.devices[device].segments;
    for (std::uint32_t s = rows.first; s < rows.last; ++s) {
        const Segment& segment = trace.segments.segments[s];
        held.push_back({segment.address, segment.totalSize, segment.stream,
            segment.pool.isNone() ? onlyPool(trace) : segment.pool, segment.type, segment.expandable});
    }
    // Ascending, each is added at the end: without that, many of them would take quadratic time.
    std::stable_sort(held.begin(), held.end(),
        [](const MappedRange& a, const MappedRange& b) { return a.begin < b.begin; });
    MappedRanges ranges;
    for (const MappedRange& range : held)
        ranges.add(range);
    return ranges;
}

MappedRange rangeOfEvent(const Trace& trace, DeviceIndex device, std::int64_t event)
{
    const MemoryEvent row = trace.events.row(trace.row(device, event));
    MappedRange range;
    range.begin = row.address;
    range.size = row.size;
    range.stream = row.stream;
    range.pool = row.pool.isNone() ? onlyPool(trace) : row.pool;
    range.expandable = row.action == Action::SegmentMap || row.action == Action::SegmentUnmap;
    range.type = typeOf(row.size, range.expandable);
    return range;
}

bool applyChange(MappedRanges& ranges, Action action, const MappedRange& range)
{
    return isReserve(action) ? ranges.add(range) : ranges.remove(range.begin, range.size);
}

bool undoChange(MappedRanges& ranges, Action action, const MappedRange& range)
{
    return isReserve(action) ? ranges.remove(range.begin, range.size) : ranges.add(range);
}

} // namespace highwater
