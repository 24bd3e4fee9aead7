#include "core/base/pair_numbers.h"

#include <algorithm>
#include <bit>

#include "core/base/hash.h"

namespace highwater {

std::uint32_t PairNumbers::of(std::uint32_t first, std::uint32_t second)
{
    if (m_slots.empty())
        reserve(std::max<std::size_t>(m_pairs.size() + 1, 10));
    else if (m_slots.size() * 2 <= m_pairs.size() * 3)
        resizeSlots(m_slots.size() * 2);
    const Pair pair{first, second};
    const Place place = placeOf(pair);
    if (m_slots[place.slot] != kFree)
        return m_slots[place.slot] & numberMask();
    const auto number = static_cast<std::uint32_t>(m_pairs.size());
    m_slots[place.slot] = place.tag | number;
    m_pairs.push_back(pair);
    return number;
}

std::uint32_t PairNumbers::find(std::uint32_t first, std::uint32_t second) const
{
    const std::uint32_t found = m_slots.empty() ? kFree : m_slots[placeOf({first, second}).slot];
    return found == kFree ? kNone : found & numberMask();
}

PairNumbers::Place PairNumbers::placeOf(Pair pair) const
{
    const std::uint32_t mask = numberMask();
    const std::uint64_t hash = hashOf(pair.first, pair.second);
    Place place{hash & mask, static_cast<std::uint32_t>(hash >> 32) & ~mask};
    for (;; place.slot = (place.slot + 1) & mask) {
        const std::uint32_t found = m_slots[place.slot];
        if (found == kFree || ((found & ~mask) == place.tag && m_pairs[found & mask] == pair))
            return place;
    }
}

void PairNumbers::reserve(std::size_t pairs)
{
    m_pairs.reserve(pairs);
    const std::size_t slots = std::bit_ceil(pairs + pairs / 2 + 1);
    if (slots > m_slots.size())
        resizeSlots(slots);
}

void PairNumbers::forgetSlots()
{
    std::vector<std::uint32_t>().swap(m_slots); // assigning an empty list would keep the memory
}

void PairNumbers::resizeSlots(std::size_t slots)
{
    forgetSlots(); // the pairs tell all: both tables need not be held at once
    m_slots.assign(slots, kFree);
    for (std::size_t number = 0; number < m_pairs.size(); ++number) {
        const Place place = placeOf(m_pairs[number]);
        m_slots[place.slot] = place.tag | static_cast<std::uint32_t>(number);
    }
}

} // namespace highwater
