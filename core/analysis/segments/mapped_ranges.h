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
    PoolId pool; ///< isNone() if not recorded
    SegmentType type = SegmentType::Unknown;
    bool expandable = false;

    /// Returns the address one past its last byte.
    Address end() const { return begin + static_cast<Address>(size); }
};

/// Disjoint ranges sorted by address. Lookups and changes cost O(log ranges).
class MappedRanges
{
public:
    /// Returns all ranges by address. O(ranges).
    std::vector<MappedRange> ranges() const { return m_ranges.values(); }
    /// Calls `use` with each range by address, without copying them.
    template <typename Use>
    void forEach(Use&& use) const
    {
        for (auto at = m_ranges.begin(); at != m_ranges.end(); at = m_ranges.next(at))
            use(m_ranges[at]);
    }
    std::size_t count() const { return m_ranges.size(); }
    /// Returns the range that contains the address, or null. Valid until the next change.
    const MappedRange* at(Address address) const;

    /// Adds memory. A piece of an expandable segment is merged with its mapped neighbours on the same stream
    /// and takes over their properties. Returns false, without a change, if the range is empty, wraps around,
    /// or overlaps a held range.
    bool add(const MappedRange& range);
    /// Removes these bytes from the ranges that contain them, at an additional O(log ranges) for each range
    /// removed. Returns false if some of them were not held.
    bool remove(Address begin, Bytes size);

private:
    using Position = ChunkedVector<MappedRange>::Position;

    Position firstEndingAfter(Address address) const;

    ChunkedVector<MappedRange> m_ranges;
};

/// Returns the segments of one device at the end of the file, with their properties.
MappedRanges finalRanges(const Trace& trace, DeviceIndex device);

/// Returns the memory that a segment event maps or unmaps. Pool and type are inferred if the event does not
/// give them: the pool if the file has only the default one, the type from the allocator's segment sizes.
MappedRange rangeOfEvent(const Trace& trace, DeviceIndex device, std::int64_t event);

/// Applies the event's change to the ranges, or reverts it. Returns false if it does not fit the mapped
/// ranges.
bool applyChange(MappedRanges& ranges, Action action, const MappedRange& range);
bool undoChange(MappedRanges& ranges, Action action, const MappedRange& range);

} // namespace highwater
