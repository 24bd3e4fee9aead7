#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/column.h"

namespace highwater {

/// Numbers pairs of numbers from 0 in order of first appearance: tree nodes keyed by (value, parent),
/// combinations of two ids. Takes 14 to 20 bytes per pair, a fifth of a general hash map. Most nodes are
/// found without the hash table, which may be larger than the caches: one whose number is that of its parent
/// plus one (8 bytes: a deep branch), and the first one of each value (12 bytes).
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
    /// The same, faster, where all pairs are nodes of a tree, and none came by `of`: `parent` is the number
    /// of another one, or kNone. Values count from 0: takes 4 bytes for each up to the largest (none for
    /// kNone).
    std::uint32_t ofNode(std::uint32_t value, std::uint32_t parent);
    /// The number that the pair has; kNone: it has none. O(1).
    std::uint32_t find(std::uint32_t first, std::uint32_t second) const;
    static constexpr std::uint32_t kNone = 0xffffffff;
    /// Starts to load what the pair is looked up with. Worth it `kAhead` calls ahead where pairs come in no
    /// order and do not fit the processor's caches: some dozen loads from memory at once.
    void prefetch(std::uint32_t first, std::uint32_t second) const;
    static constexpr int kAhead = 12;
    /// Frees the hash table, up to two fifths of the memory, since no more are expected. If another is asked
    /// for, it is built anew.
    void forgetSlots();
    /// The pair of a number.
    const Pair& operator[](std::size_t number) const { return m_pairs[number]; }
    std::size_t size() const { return m_pairs.size(); }
    std::size_t memoryBytes() const
    {
        return m_pairs.memoryBytes() + m_firstOf.memoryBytes() + m_slots.size() * sizeof(m_slots[0]);
    }

private:
    static constexpr std::uint32_t kFree = kNone;

    struct Place
    {
        std::size_t slot = 0; ///< where the pair is, or else belongs
        std::uint32_t tag = 0; ///< of the pair, in the bits above the number
    };

    /// The number at which the pair has no slot, whether or not it is a node; wraps to 0.
    static std::uint32_t afterParent(Pair pair) { return pair.second + 1; }
    std::uint32_t firstOf(std::uint32_t value) const
    {
        return value < m_firstOf.size() ? m_firstOf[value] : kNone;
    }
    bool isAt(std::uint32_t number, Pair pair) const
    {
        return number < m_pairs.size() && m_pairs[number] == pair;
    }
    /// The number of a pair that has no slot; kNone: it has one, or is new.
    std::uint32_t withoutSlot(Pair pair) const;
    bool needsSlot(std::uint32_t number) const;
    Place placeOf(Pair pair) const;
    std::uint32_t add(Pair pair);
    void makeRoom();
    void fillSlots(std::size_t slots, std::uint32_t numberMask);

    Column<Pair> m_pairs;
    /// By value: the first of its nodes that does not follow its parent, or kNone.
    Column<std::uint32_t> m_firstOf;
    /// Numbers by hash; size is a power of two, at most two thirds used. The bits that no number needs hold
    /// bits of the pair's hash, so that other pairs are seldom looked at.
    std::vector<std::uint32_t> m_slots;
    std::size_t m_used = 0; ///< pairs that have a slot, or had one before forgetSlots
    std::uint32_t m_numberMask = 0; ///< bits of a slot that hold the number; above all numbers
};

} // namespace highwater
