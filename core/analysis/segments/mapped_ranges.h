#pragma once

#include <cstdint>
#include <vector>

#include "core/base/chunked_vector.h"
#include "core/trace/trace.h"

namespace highwater {

/// Contiguous memory that the allocator has reserved from the driver: a segment, or a contiguous mapped part
/// of an expandable segment.
struct MappedRange
{
    Address begin = 0;
    Bytes size = 0;
    StreamId stream;
    PoolId pool; ///< isNone() if not recorded
    SegmentType type = SegmentType::Unknown;
    bool expandable = false;

    /// Returns the address one past the last byte.
    Address end() const { return begin + static_cast<Address>(size); }
};

/// The memory that the allocator has reserved at one moment, as disjoint ranges sorted by address. A copyable
/// value. Lookups cost O(log ranges), changes as much as those of a `ChunkedVector`.
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
    /// or overlaps a range of this set.
    bool tryAdd(const MappedRange& range);
    /// Removes bytes from the ranges that contain them; may split a range. Costs a change for each affected
    /// range. Returns false if some of the bytes were in no range, or if there are none or they wrap around.
    bool remove(Address begin, Bytes size);

private:
    using Position = ChunkedVector<MappedRange>::Position;

    Position firstEndingAfter(Address address) const;

    ChunkedVector<MappedRange> m_ranges;
};

/// Returns the segments of one device at the end of the file, without those that overlap a segment at a lower
/// address.
MappedRanges finalRanges(const Trace& trace, DeviceIndex device);

/// Returns the memory that a segment event maps or unmaps. The type is inferred from the allocator's segment
/// sizes. If the event has no pool, it is inferred only if the file has no pool except the default pool.
MappedRange rangeOfEvent(const Trace& trace, DeviceIndex device, std::int64_t event);

/// Applies the change of an event that reserves or releases memory, or undoes it. Returns false if the change
/// contradicts the ranges.
bool applyChange(MappedRanges& ranges, Action action, const MappedRange& range);
bool undoChange(MappedRanges& ranges, Action action, const MappedRange& range);

} // namespace highwater
