#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// The address ranges of one expandable segment in which no block is live. A treap sorted by address, in
/// which each node stores the size of the longest range in its subtree. Every call takes O(log ranges) on
/// average.
class FreeRanges
{
public:
    struct Range
    {
        Address begin = 0;
        Bytes size = 0;
        std::uint32_t first = 0; ///< block at its beginning

        Address end() const { return begin + static_cast<Address>(size); }
    };

    /// Adds a range, no part of which may be vacant yet, and merges it with adjacent ranges.
    void add(const Range& added);
    /// Removes a part of a vacant range; `nextBlock` is the block that follows this part.
    void remove(Address begin, Bytes size, std::uint32_t nextBlock);
    /// Finds the lowest range of at least `size` bytes that begins at `leastBegin` or above; nullopt if there
    /// is none.
    std::optional<Range> lowest(Bytes size, Address leastBegin = 0) const;

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = std::numeric_limits<Index>::max();

    struct Node
    {
        Range range;
        Bytes longest = 0; ///< longest range in this subtree
        std::uint32_t priority = 0; ///< at least as high as the priorities of its children
        Index children[2] = {kNone, kNone}; ///< children with lower and with higher addresses
    };

    Index makeNode(const Range& range);
    Range releaseNode(Index single);
    void updateLongest(Index node);
    Index edgeOf(Index root, bool high) const;
    std::pair<Index, Index> split(Index root, Address address);
    Index merge(Index low, Index high);
    Index lowestBelow(Index root, Bytes size, Address leastBegin) const;
    Bytes longest(Index node) const { return node == kNone ? 0 : m_nodes[node].longest; }

    std::vector<Node> m_nodes;
    std::vector<Index> m_unused;
    Index m_root = kNone;
    std::uint32_t m_random = 1;
};

} // namespace highwater
