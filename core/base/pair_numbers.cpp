#include "core/base/pair_numbers.h"

#include <bit>

#include "core/base/hash.h"

namespace highwater {

std::uint32_t PairNumbers::of(std::uint32_t first, std::uint32_t second)
{
    if (m_slots.size() * 2 <= m_pairs.size() * 3)
        resizeSlots(m_slots.empty() ? 16 : m_slots.size() * 2);
    const Pair pair{first, second};
    const Place place = placeOf(pair);
    if (m_slots[place.slot] != kFree)
        return m_slots[place.slot] & numberMask();
    const auto number = static_cast<std::uint32_t>(m_pairs.size());
    m_slots[place.slot] = place.tag | number;
    m_pairs.push_back(pair);
    return number;
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

void PairNumbers::resizeSlots(std::size_t slots)
{
    m_slots = {}; // the pairs tell all: both tables need not be held at once
    m_slots.assign(slots, kFree);
    for (std::size_t number = 0; number < m_pairs.size(); ++number) {
        const Place place = placeOf(m_pairs[number]);
        m_slots[place.slot] = place.tag | static_cast<std::uint32_t>(number);
    }
}

} // namespace highwater
