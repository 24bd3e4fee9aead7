#include "core/base/pair_numbers.h"

#include "core/base/hash.h"

namespace highwater {

std::uint32_t PairNumbers::of(std::uint32_t first, std::uint32_t second)
{
    if (m_slots.size() * 2 <= m_pairs.size() * 3)
        grow();
    const Pair pair{first, second};
    std::uint32_t& slot = m_slots[slotOf(pair)];
    if (slot == kFree) {
        slot = static_cast<std::uint32_t>(m_pairs.size());
        m_pairs.push_back(pair);
    }
    return slot;
}

/// Where the pair is, or else belongs.
std::size_t PairNumbers::slotOf(Pair pair) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hashOf(pair.first, pair.second) & mask;
    while (m_slots[slot] != kFree && !(m_pairs[m_slots[slot]] == pair))
        slot = (slot + 1) & mask;
    return slot;
}

void PairNumbers::grow()
{
    const std::size_t slots = m_slots.empty() ? 16 : m_slots.size() * 2;
    m_slots = {}; // the pairs tell all: both tables need not be held at once
    m_slots.assign(slots, kFree);
    for (std::size_t number = 0; number < m_pairs.size(); ++number)
        m_slots[slotOf(m_pairs[number])] = static_cast<std::uint32_t>(number);
}

} // namespace highwater
