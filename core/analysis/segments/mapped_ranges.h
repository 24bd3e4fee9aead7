#pragma once

#include <cstdint>
#include <vector>

#include "core/base/chunked_vector.h"
#include "core/trace/trace.h"

namespace highwater {

/// A contiguous piece of memory that the allocator holds from the driver: a segment, or a contiguous mapped
/// part of an expandable one.
struct MappedRange
{
    Address begin = 0;
    Bytes size = 0;
    StreamId stream;
    PoolId pool; ///< none: not recorded
    SegmentType type = SegmentType::Unknown;
    bool expandable = false;

    /// One past its last byte.
    Address end() const { return begin + static_cast<Address>(size); }
};

/// Disjoint ranges sorted by address. Lookups and changes cost O(log ranges).
class MappedRanges
{
public:
    /// All of them, by address. O(ranges).
    std::vector<MappedRange> ranges() const { return m_ranges.values(); }
    /// The same without a copy of them.
    template <typename Use>
    void forEach(Use&& use) const
    {
        for (auto at = m_ranges.begin(); at != m_ranges.end(); at = m_ranges.next(at))
            use(m_ranges[at]);
    }
    std::size_t count() const { return m_ranges.size(); }
    /// The range that contains the address; null: none does. Valid until the next change.
    const MappedRange* at(Address address) const;

    /// Adds memory. A piece of an expandable segment is merged with its mapped neighbours on the same stream
    /// and takes over their properties. False, without a change: it is empty, wraps around, or overlaps a
    /// held range.
    bool add(const MappedRange& range);
    /// Removes these bytes from the ranges that hold them; an additional O(log ranges) for each range
    /// removed. False: not all of them were held.
    bool remove(Address begin, Bytes size);

private:
    using Position = ChunkedVector<MappedRange>::Position;

    Position firstEndingAfter(Address address) const;

    ChunkedVector<MappedRange> m_ranges;
};

/// The segments of one device at the end of the file, with their properties.
MappedRanges finalRanges(const Trace& trace, DeviceIndex device);

/// The memory that a segment event maps or unmaps. Pool and type are inferred where the event does not say:
/// the pool if the file knows only the default one, the type from the allocator's segment sizes.
MappedRange rangeOfEvent(const Trace& trace, DeviceIndex device, std::int64_t event);

/// Applies the event's change to the ranges, or reverts it. False if it does not fit what is mapped.
bool applyChange(MappedRanges& ranges, Action action, const MappedRange& range);
bool undoChange(MappedRanges& ranges, Action action, const MappedRange& range);

} // namespace highwater
