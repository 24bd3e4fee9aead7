#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/allocator_rounding.h"

namespace highwater {

/// Parses a complete address with its prefix, "0x7f3a00001400", in either case; nullopt for any other text.
std::optional<Address> addressFromText(std::string_view text);

/// Answers which allocations of a device contained an address. An allocation contains the bytes that it
/// certainly occupied: its block in the snapshot, else the smallest block that the allocator makes for its
/// request (`roundedSize`), or just its own bytes if the rule of the device is unknown. One without bytes
/// contains its own address; one at address 0, which stands for an unknown address, contains none.
class AddressOwners
{
public:
    /// O(1). The allocations must outlive the object.
    explicit AddressOwners(const AllocationTable& allocations);

    bool contains(AllocationIndex i, Address address) const;
    /// True if the address is in the allocation's block, behind the bytes of the allocation itself.
    bool isInPadding(AllocationIndex i, Address address) const;

    /// Returns every allocation that contained the address, first those from before the trace, earliest freed
    /// first, then by birth: the owners in the order of time. O(allocations).
    std::vector<AllocationIndex> of(Address address) const;

private:
    const AllocationTable& m_allocations;
    std::optional<RoundingSettings> m_rounding; ///< nullopt if the rule of the device is unknown
};

/// Returns the last of the owners that is alive right after the event; kNoAllocation if none is. Two are
/// alive at once only if the free between them is lost. O(owners).
AllocationIndex ownerAt(
    const AllocationTable& allocations, const std::vector<AllocationIndex>& owners, std::int64_t event);

} // namespace highwater
