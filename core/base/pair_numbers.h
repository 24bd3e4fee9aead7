#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/column.h"

namespace highwater {

/// Numbers pairs of numbers from 0 in order of first appearance: tree nodes keyed by (value, parent),
/// combinations of two ids. Takes 14 to 20 bytes per pair, a fifth of a general hash map.
class PairNumbers
{
public:
    struct Pair
    {
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        bool operator==(const Pair&) const = default;
    };

    /// The number of the pair; a new pair gets the next one. O(1).
    std::uint32_t of(std::uint32_t first, std::uint32_t second);
    /// Reserves memory for that many pairs.
    void reserve(std::size_t pairs);
    /// The pair of a number.
    const Pair& operator[](std::size_t number) const { return m_pairs[number]; }
    std::size_t size() const { return m_pairs.size(); }
    std::size_t memoryBytes() const { return m_pairs.memoryBytes() + m_slots.size() * sizeof(m_slots[0]); }

private:
    static constexpr std::uint32_t kFree = 0xffffffff;

    std::size_t slotOf(Pair pair) const;
    void resizeSlots(std::size_t slots);

    Column<Pair> m_pairs;
    std::vector<std::uint32_t> m_slots; ///< numbers by hash; size is a power of two, at most two thirds used
};

} // namespace highwater
