#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// The allocator's use of an address at one moment.
enum class AddressUse : std::uint8_t
{
    InUse,
    PendingFree, ///< freed, but another stream still uses it
    Free, ///< in a free block of a segment
    NotReserved, ///< in no segment: not mapped, or not of this allocator
    Unknown, ///< the file does not have the segments of this moment
};

/// Returns "in_use", "pending_free", "free", "not_reserved", "unknown".
std::string_view toText(AddressUse use);

/// The place of an address at one moment.
struct AddressPlace
{
    AddressUse use = AddressUse::Unknown;
    std::optional<MappedRange> segment; ///< the segment that contains the address; not set if there is none
};

/// Finds the block of a state that contains the address. O(log segments + blocks of its segment).
AddressPlace placeOf(const SegmentState& state, Address address);

} // namespace highwater
