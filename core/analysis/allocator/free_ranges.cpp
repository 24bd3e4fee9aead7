#include "core/analysis/allocator/free_ranges.h"

#include <algorithm>

namespace highwater {

void FreeRanges::add(const Range& added)
{
    Range range = added;
    auto [low, high] = split(m_root, range.begin);
    if (const Index last = edgeOf(low, true); last != kNone && m_nodes[last].range.end() == range.begin) {
        const auto [lower, previousNode] = split(low, m_nodes[last].range.begin);
        low = lower;
        const Range joined = releaseNode(previousNode);
        range = {joined.begin, joined.size + range.size, joined.first};
    }
    if (const Index next = edgeOf(high, false); next != kNone && m_nodes[next].range.begin == range.end()) {
        const auto [nextNode, higher] = split(high, range.end() + 1);
        high = higher;
        range.size += releaseNode(nextNode).size;
    }
    m_root = merge(merge(low, makeNode(range)), high);
}

void FreeRanges::remove(Address begin, Bytes size, std::uint32_t nextBlock)
{
    const auto [low, high] = split(m_root, begin + 1);
    const auto [lower, holder] = split(low, m_nodes[edgeOf(low, true)].range.begin);
    const Range range = releaseNode(holder);
    m_root = lower;
    if (range.begin < begin)
        m_root = merge(m_root, makeNode({range.begin, static_cast<Bytes>(begin - range.begin), range.first}));
    if (const Address end = begin + static_cast<Address>(size); end < range.end())
        m_root = merge(m_root, makeNode({end, static_cast<Bytes>(range.end() - end), nextBlock}));
    m_root = merge(m_root, high);
}

std::optional<FreeRanges::Range> FreeRanges::lowest(Bytes size, Address leastBegin) const
{
    const Index found = lowestBelow(m_root, size, leastBegin);
    return found == kNone ? std::nullopt : std::optional(m_nodes[found].range);
}

FreeRanges::Index FreeRanges::lowestBelow(Index root, Bytes size, Address leastBegin) const
{
    if (longest(root) < size)
        return kNone;
    const Node& node = m_nodes[root];
    if (node.range.begin >= leastBegin) {
        if (const Index lower = lowestBelow(node.children[0], size, leastBegin); lower != kNone)
            return lower;
        if (node.range.size >= size)
            return root;
    }
    return lowestBelow(node.children[1], size, leastBegin);
}

FreeRanges::Index FreeRanges::makeNode(const Range& range)
{
    // A linear congruential generator, so that every execution builds the same trees.
    m_random = m_random * 1664525 + 1013904223;
    const Node node{range, range.size, m_random, {kNone, kNone}};
    if (m_unused.empty()) {
        m_nodes.push_back(node);
        return static_cast<Index>(m_nodes.size() - 1);
    }
    const Index index = m_unused.back();
    m_unused.pop_back();
    m_nodes[index] = node;
    return index;
}

FreeRanges::Range FreeRanges::releaseNode(Index single)
{
    m_unused.push_back(single);
    return m_nodes[single].range;
}

void FreeRanges::updateLongest(Index node)
{
    Node& updated = m_nodes[node];
    updated.longest
        = std::max({updated.range.size, longest(updated.children[0]), longest(updated.children[1])});
}

/// Returns the node with the highest or the lowest address.
FreeRanges::Index FreeRanges::edgeOf(Index root, bool high) const
{
    Index edge = root;
    while (edge != kNone && m_nodes[edge].children[high] != kNone)
        edge = m_nodes[edge].children[high];
    return edge;
}

/// Splits the tree into the ranges that begin before the address, and the others.
std::pair<FreeRanges::Index, FreeRanges::Index> FreeRanges::split(Index root, Address address)
{
    if (root == kNone)
        return {kNone, kNone};
    const bool isLow = m_nodes[root].range.begin < address;
    const auto [low, high] = split(m_nodes[root].children[isLow], address);
    m_nodes[root].children[isLow] = isLow ? low : high;
    updateLongest(root);
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
        m_nodes[low].children[1] = merge(m_nodes[low].children[1], high);
    else
        m_nodes[high].children[0] = merge(low, m_nodes[high].children[0]);
    updateLongest(root);
    return root;
}

} // namespace highwater
