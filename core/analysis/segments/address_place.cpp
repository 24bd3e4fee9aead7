#include "core/analysis/segments/address_place.h"

#include <array>

namespace highwater {

namespace {

AddressUse useOf(const BlockAt& block)
{
    switch (block.state) {
    case BlockState::Inactive: return AddressUse::Free;
    case BlockState::PendingFree: return AddressUse::PendingFree;
    case BlockState::Active: break;
    }
    return AddressUse::InUse;
}

/// Returns the number of the segment that contains the address; the number of segments if none does.
std::size_t segmentWith(const SegmentsAt& segments, Address address)
{
    std::size_t first = 0;
    std::size_t last = segments.size();
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        const MappedRange range = segments.range(middle);
        if (address >= range.begin && address < range.end())
            return middle;
        if (address < range.begin)
            last = middle;
        else
            first = middle + 1;
    }
    return segments.size();
}

} // namespace

std::string_view toText(AddressUse use)
{
    constexpr std::array<std::string_view, 5> kNames{
        "in_use", "pending_free", "free", "not_reserved", "unknown"};
    return kNames[static_cast<std::size_t>(use)];
}

AddressPlace placeOf(const SegmentState& state, Address address)
{
    if (!state.recorded)
        return {};
    const std::size_t row = segmentWith(state.segments, address);
    if (row == state.segments.size())
        return {state.contradictionCount == 0 ? AddressUse::NotReserved : AddressUse::Unknown, std::nullopt};
    const RowRange blocks = state.segments.blocks(row);
    for (std::size_t block = blocks.first; block < blocks.last; ++block)
        if (const BlockAt found = state.blocks[block]; address >= found.address && address < found.end())
            return {useOf(found), state.segments.range(row)};
    return {AddressUse::Unknown, state.segments.range(row)};
}

} // namespace highwater
