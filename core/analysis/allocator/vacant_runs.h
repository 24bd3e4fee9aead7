#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// Stretches of one address space in which no block is live. A treap by address in which each node knows the
/// longest run below it: every call takes O(log runs).
class VacantRuns
{
public:
    struct Run
    {
        Address begin = 0;
        Bytes size = 0;
        std::uint32_t first = 0; ///< the block that it begins with

        Address end() const { return begin + static_cast<Address>(size); }
    };

    /// Makes the stretch, which had nothing vacant, vacant: it is merged with the runs that it touches.
    void add(const Run& stretch);
    /// Occupies this part of a run; `behind` is the block that follows it.
    void remove(Address begin, Bytes size, std::uint32_t behind);
    /// The lowest run of at least that size that begins at `from` or above.
    std::optional<Run> lowest(Bytes size, Address from = 0) const;

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = std::numeric_limits<Index>::max();

    struct Node
    {
        Run run;
        Bytes longest = 0; ///< of this node and all below it
        std::uint32_t priority = 0; ///< at least as high as those of the nodes below it
        Index below[2] = {kNone, kNone}; ///< lower and higher addresses
    };

    Index make(const Run& run);
    Run release(Index single);
    void update(Index node);
    Index edgeOf(Index root, bool high) const;
    std::pair<Index, Index> split(Index root, Address at);
    Index merge(Index low, Index high);
    Index lowestBelow(Index root, Bytes size, Address from) const;
    Bytes longest(Index node) const { return node == kNone ? 0 : m_nodes[node].longest; }

    std::vector<Node> m_nodes;
    std::vector<Index> m_unused;
    Index m_root = kNone;
    std::uint32_t m_random = 1;
};

} // namespace highwater
