#include "core/analysis/allocator/free_ranges.h"

#include <algorithm>

namespace highwater {

void FreeRanges::add(const Run& stretch)
{
    Run run = stretch;
    auto [low, high] = split(m_root, run.begin);
    if (const Index last = edgeOf(low, true); last != kNone && m_nodes[last].run.end() == run.begin) {
        const auto [lower, left] = split(low, m_nodes[last].run.begin);
        low = lower;
        const Run joined = release(left);
        run = {joined.begin, joined.size + run.size, joined.first};
    }
    if (const Index next = edgeOf(high, false); next != kNone && m_nodes[next].run.begin == run.end()) {
        const auto [right, higher] = split(high, run.end() + 1);
        high = higher;
        run.size += release(right).size;
    }
    m_root = merge(merge(low, make(run)), high);
}

void FreeRanges::remove(Address begin, Bytes size, std::uint32_t behind)
{
    const auto [low, high] = split(m_root, begin + 1);
    const auto [lower, holder] = split(low, m_nodes[edgeOf(low, true)].run.begin);
    const Run run = release(holder);
    m_root = lower;
    if (run.begin < begin)
        m_root = merge(m_root, make({run.begin, static_cast<Bytes>(begin - run.begin), run.first}));
    if (const Address end = begin + static_cast<Address>(size); end < run.end())
        m_root = merge(m_root, make({end, static_cast<Bytes>(run.end() - end), behind}));
    m_root = merge(m_root, high);
}

std::optional<FreeRanges::Run> FreeRanges::lowest(Bytes size, Address from) const
{
    const Index found = lowestBelow(m_root, size, from);
    return found == kNone ? std::nullopt : std::optional(m_nodes[found].run);
}

FreeRanges::Index FreeRanges::lowestBelow(Index root, Bytes size, Address from) const
{
    if (longest(root) < size)
        return kNone;
    const Node& node = m_nodes[root];
    if (node.run.begin >= from) {
        if (const Index lower = lowestBelow(node.below[0], size, from); lower != kNone)
            return lower;
        if (node.run.size >= size)
            return root;
    }
    return lowestBelow(node.below[1], size, from);
}

FreeRanges::Index FreeRanges::make(const Run& run)
{
    // A linear congruential generator, so that every execution builds the same trees.
    m_random = m_random * 1664525 + 1013904223;
    const Node node{run, run.size, m_random, {kNone, kNone}};
    if (m_unused.empty()) {
        m_nodes.push_back(node);
        return static_cast<Index>(m_nodes.size() - 1);
    }
    const Index index = m_unused.back();
    m_unused.pop_back();
    m_nodes[index] = node;
    return index;
}

FreeRanges::Run FreeRanges::release(Index single)
{
    m_unused.push_back(single);
    return m_nodes[single].run;
}

void FreeRanges::update(Index node)
{
    Node& at = m_nodes[node];
    at.longest = std::max({at.run.size, longest(at.below[0]), longest(at.below[1])});
}

/// Returns the node with the highest or the lowest address.
FreeRanges::Index FreeRanges::edgeOf(Index root, bool high) const
{
    Index edge = root;
    while (edge != kNone && m_nodes[edge].below[high] != kNone)
        edge = m_nodes[edge].below[high];
    return edge;
}

/// Splits the tree into the ranges that begin before the address, and the others.
std::pair<FreeRanges::Index, FreeRanges::Index> FreeRanges::split(Index root, Address at)
{
    if (root == kNone)
        return {kNone, kNone};
    const bool isLow = m_nodes[root].run.begin < at;
    const auto [low, high] = split(m_nodes[root].below[isLow], at);
    m_nodes[root].below[isLow] = isLow ? low : high;
    update(root);
    return isLow ? std::pair{root, high} : std::pair{low, root};
}

/// Joins two trees; all of `low` must be before all of `high`.
FreeRanges::Index FreeRanges::merge(Index low, Index high)
{
    if (low == kNone || high == kNone)
        return low == kNone ? high : low;
    const bool takesLow = m_nodes[low].priority > m_nodes[high].priority;
    const Index root = takesLow ? low : high;
    if (takesLow)
        m_nodes[low].below[1] = merge(m_nodes[low].below[1], high);
    else
        m_nodes[high].below[0] = merge(low, m_nodes[high].below[0]);
    update(root);
    return root;
}

} // namespace highwater
