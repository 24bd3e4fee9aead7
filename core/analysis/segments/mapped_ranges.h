#pragma once

#include <cstdint>
#include <vector>

#include "core/base/chunked_vector.h"
#include "core/trace/trace.h"

namespace highwater {

/// Memory that the allocator holds from the driver, in one piece: a segment, or the contiguous mapped part of
/// an expandable one.
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

/// Disjoint ranges by address. Lookups and changes cost O(log ranges).
class MappedRanges
{
public:
    /// All of them, by address. O(ranges).
    std::vector<MappedRange> ranges() const { return m_ranges.values(); }
    std::size_t count() const { return m_ranges.size(); }
    /// The one that holds the address; null: none does. Valid until the next change.
    const MappedRange* at(Address address) const;

    /// Adds memory. A piece of an expandable segment grows together with its mapped neighbours on the same
    /// stream and takes over what they are. False, without a change: it is empty, wraps around, or some of it
    /// is held already.
    bool add(const MappedRange& range);
    /// Takes these bytes away from whatever holds them, and O(log ranges) for each range that goes. False:
    /// not all of them were held.
    bool remove(Address begin, Bytes size);

    std::size_t memoryBytes() const { return m_ranges.memoryBytes(); }

private:
    using Position = ChunkedVector<MappedRange>::Position;

    Position firstEndingAfter(Address address) const;

    ChunkedVector<MappedRange> m_ranges;
};

/// The segments of one device as the file has them at its end, with what it says of each.
MappedRanges finalRanges(const Trace& trace, DeviceIndex device);

/// What a segment event maps or gives back. Pool and type are inferred where the event does not say: the pool
/// when the file knows only the default one, the type from the allocator's segment sizes.
MappedRange rangeOfEvent(const Trace& trace, DeviceIndex device, std::int64_t event);

/// Does to the ranges what the event did, or takes that back. False where that does not fit what is mapped.
bool applyChange(MappedRanges& ranges, Action action, const MappedRange& range);
bool undoChange(MappedRanges& ranges, Action action, const MappedRange& range);

} // namespace highwater
