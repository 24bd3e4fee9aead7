#include "core/base/pair_numbers.h"

#include <algorithm>
#include <bit>

#include "core/base/hash.h"

namespace highwater {

namespace {

/// Returns the smallest power of two of which `pairs` entries fill less than two thirds.
std::size_t slotsFor(std::size_t pairs)
{
    return std::bit_ceil(pairs + pairs / 2 + 1);
}

} // namespace

std::uint32_t PairNumbers::intern(std::uint32_t first, std::uint32_t second)
{
    const Pair pair{first, second};
    if (const std::uint32_t number = findWithoutSlot(pair); number != kNone)
        return number;
    ensureFreeSlot();
    const Slot slot = findSlot(pair);
    if (m_slots[slot.index] != kFree)
        return m_slots[slot.index] & m_numberMask;
    const std::uint32_t number = addPair(pair);
    if (needsSlot(number)) {
        m_slots[slot.index] = slot.tag | number;
        ++m_slottedPairs;
    }
    return number;
}

std::uint32_t PairNumbers::internNode(std::uint32_t value, std::uint32_t parent)
{
    const Pair pair{value, parent};
    // The parent is the newest node and has no child yet, or there is no node at all.
    if (numberAfterParent(pair) == m_pairs.size())
        return addPair(pair);
    if (value != kNone && firstNodeOf(value) == kNone && !isAt(numberAfterParent(pair), pair)) {
        // All earlier nodes with this value directly follow their parents, so this node is new.
        const std::uint32_t number = addPair(pair);
        if (value >= m_firstNodeOf.size())
            m_firstNodeOf.resize(value + std::size_t{1}, kNone);
        m_firstNodeOf[value] = number;
        return number;
    }
    return intern(value, parent);
}

std::uint32_t PairNumbers::find(std::uint32_t first, std::uint32_t second) const
{
    const Pair pair{first, second};
    if (const std::uint32_t number = findWithoutSlot(pair); number != kNone)
        return number;
    const std::uint32_t found = m_slots.empty() ? kFree : m_slots[findSlot(pair).index];
    return found == kFree ? kNone : found & m_numberMask;
}

std::uint32_t PairNumbers::findWithoutSlot(Pair pair) const
{
    if (isAt(numberAfterParent(pair), pair))
        return numberAfterParent(pair);
    const std::uint32_t first = firstNodeOf(pair.first);
    return isAt(first, pair) ? first : kNone;
}

bool PairNumbers::needsSlot(std::uint32_t number) const
{
    return number != numberAfterParent(m_pairs[number]) && number != firstNodeOf(m_pairs[number].first);
}

void PairNumbers::prefetch(std::uint32_t first, std::uint32_t second) const
{
    if (!m_slots.empty())
        __builtin_prefetch(&m_slots[hashOf(first, second) & (m_slots.size() - 1)]);
}

std::uint32_t PairNumbers::addPair(Pair pair)
{
    m_pairs.push_back(pair);
    return static_cast<std::uint32_t>(m_pairs.size() - 1);
}

PairNumbers::Slot PairNumbers::findSlot(Pair pair) const
{
    const std::uint64_t hash = hashOf(pair.first, pair.second);
    const std::size_t last = m_slots.size() - 1;
    Slot slot{hash & last, static_cast<std::uint32_t>(hash >> 32) & ~m_numberMask};
    for (;; slot.index = (slot.index + 1) & last) {
        const std::uint32_t found = m_slots[slot.index];
        if (found == kFree || ((found & ~m_numberMask) == slot.tag && m_pairs[found & m_numberMask] == pair))
            return slot;
    }
}

void PairNumbers::forgetSlots()
{
    std::vector<std::uint32_t>().swap(m_slots); // assigning an empty list would keep the memory
}

/// Ensures a free slot for one more pair.
void PairNumbers::ensureFreeSlot()
{
    if (m_slots.empty())
        fillSlots(slotsFor(std::max<std::size_t>(m_slottedPairs + 1, 10)), m_numberMask);
    else if (m_slots.size() * 2 <= m_slottedPairs * 3)
        fillSlots(m_slots.size() * 2, m_numberMask);
    else if (m_pairs.size() >= m_numberMask)
        fillSlots(m_slots.size(), m_numberMask);
}

void PairNumbers::fillSlots(std::size_t slots, std::uint32_t numberMask)
{
    forgetSlots(); // the new table is filled from the pairs, so the old one can go first
    m_slots.assign(slots, kFree);
    m_numberMask = std::max({numberMask, static_cast<std::uint32_t>(slots - 1),
        static_cast<std::uint32_t>(std::bit_ceil(m_pairs.size() + 2) - 1)});
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        if (i + kAhead < m_pairs.size())
            prefetch(m_pairs[i + kAhead].first, m_pairs[i + kAhead].second);
        const auto number = static_cast<std::uint32_t>(i);
        if (!needsSlot(number))
            continue;
        const Slot slot = findSlot(m_pairs[i]);
        m_slots[slot.index] = slot.tag | number;
    }
}

} // namespace highwater
