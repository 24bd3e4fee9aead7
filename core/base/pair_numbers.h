#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/column.h"

namespace highwater {

/// Numbers pairs of numbers from 0 in order of first appearance: tree nodes keyed by (value, parent),
/// combinations of two ids. Takes 14 to 20 bytes per pair in a hash table. That table may be larger than the
/// processor's caches, so most tree nodes are found without it: a node that directly follows its parent
/// (8 bytes; most of a deep branch), and the first other node of each value (12 bytes).
class PairNumbers
{
public:
    struct Pair
    {
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        bool operator==(const Pair&) const = default;
    };

    /// Returns the number of the pair; a new pair gets the next number. O(1).
    std::uint32_t intern(std::uint32_t first, std::uint32_t second);
    /// Returns the number of the pair as `intern` does, but faster. All pairs must be nodes of a tree and
    /// none may be added with `intern`: `parent` is the number of another node, or kNone. Values count from
    /// 0; takes 4 bytes for each value up to the largest (not counting kNone).
    std::uint32_t internNode(std::uint32_t value, std::uint32_t parent);
    /// Returns the number of the pair, or kNone if it has none. Must not be called between `forgetSlots` and
    /// the next `intern`. O(1).
    std::uint32_t find(std::uint32_t first, std::uint32_t second) const;
    static constexpr std::uint32_t kNone = 0xffffffff;
    /// Starts to load the memory needed to look up the pair. Worthwhile `kAhead` calls ahead if pairs come in
    /// random order and do not fit the processor's caches: a dozen loads are then in flight at once.
    void prefetch(std::uint32_t first, std::uint32_t second) const;
    static constexpr int kAhead = 12;
    /// Frees the hash table, up to three fifths of the memory, when no more pairs are expected. The next new
    /// pair builds it again if it needs it.
    void forgetSlots();
    const Pair& operator[](std::size_t number) const { return m_pairs[number]; }
    std::size_t size() const { return m_pairs.size(); }
    std::size_t memoryBytes() const
    {
        return m_pairs.memoryBytes() + m_firstNodeOf.memoryBytes() + m_slots.size() * sizeof(m_slots[0]);
    }

private:
    static constexpr std::uint32_t kFree = kNone;

    struct Slot
    {
        std::size_t index = 0; ///< Slot of the pair, or the free slot where it belongs
        std::uint32_t tag = 0; ///< Hash bits of the pair, in the bits above the number
    };

    /// Returns the number that directly follows the parent's: a pair with this number needs no slot, even if
    /// it is not a tree node. Wraps to 0.
    static std::uint32_t numberAfterParent(Pair pair) { return pair.second + 1; }
    std::uint32_t firstNodeOf(std::uint32_t value) const
    {
        return value < m_firstNodeOf.size() ? m_firstNodeOf[value] : kNone;
    }
    bool isAt(std::uint32_t number, Pair pair) const
    {
        return number < m_pairs.size() && m_pairs[number] == pair;
    }
    /// Returns the number of a pair that needs no slot; kNone if it has a slot or is new.
    std::uint32_t findWithoutSlot(Pair pair) const;
    bool needsSlot(std::uint32_t number) const;
    Slot findSlot(Pair pair) const;
    std::uint32_t addPair(Pair pair);
    void ensureFreeSlot();
    void fillSlots(std::size_t slots, std::uint32_t numberMask);

    Column<Pair> m_pairs;
    /// Per value, the first of its nodes that does not directly follow its parent, or kNone.
    Column<std::uint32_t> m_firstNodeOf;
    /// Numbers by hash; the size is a power of two and doubles once two thirds are used. The bits above the
    /// number hold hash bits of the pair, so that other pairs are rarely compared.
    std::vector<std::uint32_t> m_slots;
    std::size_t m_slottedPairs = 0; ///< Number of pairs that have a slot, or had one before forgetSlots
    std::uint32_t m_numberMask = 0; ///< The bits of a slot that hold the number; larger than all numbers
};

} // namespace highwater
