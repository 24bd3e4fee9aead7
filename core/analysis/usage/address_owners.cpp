#include "core/analysis/usage/address_owners.h"

#include <algorithm>
#include <tuple>

#include "core/base/text_parts.h"

namespace highwater {

std::optional<Address> addressFromText(std::string_view text)
{
    const std::string wanted = lowered(trimmed(text));
    return wanted.starts_with("0x") ? parsedNumber<Address>(std::string_view(wanted).substr(2), 16)
                                    : std::nullopt;
}

AddressOwners::AddressOwners(const AllocationTable& allocations)
    : m_allocations(allocations)
{
    const Trace& trace = allocations.trace();
    if (hasKnownRounding(trace.devices[allocations.device()]))
        m_rounding = roundingSettings(trace.metadata);
}

bool AddressOwners::contains(AllocationIndex i, Address address) const
{
    const Address begin = m_allocations.address(i);
    if (address <= begin || begin == 0)
        return address == begin && begin != 0;
    const auto isBelow = [&](Bytes bytes) { return address - begin < static_cast<Address>(bytes); };
    if (isBelow(std::max(m_allocations.bytes(i), Bytes{0})))
        return true;
    if (const Bytes block = m_allocations.blockBytes(i); block >= 0)
        return isBelow(block);
    return m_rounding
        && isBelow(roundedSize(std::max(m_allocations.recordedBytes(i), Bytes{0}), *m_rounding));
}

bool AddressOwners::isInPadding(AllocationIndex i, Address address) const
{
    return contains(i, address)
        && address - m_allocations.address(i)
        >= static_cast<Address>(std::max(m_allocations.recordedBytes(i), Bytes{0}));
}

std::vector<AllocationIndex> AddressOwners::of(Address address) const
{
    std::vector<AllocationIndex> owners;
    for (AllocationIndex i = 0; i < m_allocations.size(); ++i)
        if (contains(i, address))
            owners.push_back(i);
    // Sorts by time. The table has the allocations from before the trace in stacking order (never freed, then
    // the latest freed first), so these are sorted by their end: the earliest freed first, never freed last.
    std::ranges::stable_sort(owners, {}, [&](AllocationIndex i) {
        const std::int32_t birth = m_allocations.birth(i);
        return std::tuple(birth, birth < 0 ? m_allocations.death(i) : 0);
    });
    return owners;
}

AllocationIndex ownerAt(
    const AllocationTable& allocations, const std::vector<AllocationIndex>& owners, std::int64_t event)
{
    const auto last = std::find_if(
        owners.rbegin(), owners.rend(), [&](AllocationIndex i) { return allocations.isLiveAt(i, event); });
    return last == owners.rend() ? AllocationTable::kNoAllocation : *last;
}

} // namespace highwater
