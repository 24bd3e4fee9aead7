#include "core/analysis/detectors/models/loaded_blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/categories/parameter_sizes.h"

namespace highwater {

namespace {

constexpr std::uint32_t kFewestTensors = 8;
constexpr std::size_t kMaxPaths = 256; ///< limit on the paths compared pairwise

/// Matches blocks of `a` with blocks of `b` that are `times` / `part` as large. True if the matched blocks
/// have at least 19/20 of the bytes on both sides.
bool isNearly(const SizeCounts& a, const SizeCounts& b, Bytes times, Bytes part)
{
    Bytes matched = 0;
    for (const auto& [size, count] : a)
        if (const auto other = b.find(size * times / part); other != b.end())
            matched += size * std::min(count, other->second);
    return matched * 20 >= bytesOf(a) * 19 && matched * times / part * 20 >= bytesOf(b) * 19;
}

/// True if both have nearly the same blocks, in the same precision or with elements half as wide on one side.
bool areNearlyAlike(const SizeCounts& a, const SizeCounts& b)
{
    return isNearly(a, b, 1, 1) || isNearly(a, b, 2, 1) || isNearly(a, b, 1, 2);
}

} // namespace

LoadedBlocks::LoadedBlocks(const DeviceStudy& study, std::int64_t event)
    : m_study(study)
    , m_roles(study.trace)
{
    for (const AllocationIndex i : study.allocations.liveAt(event))
        if (isLoaded(i))
            add(i);
}

template <typename Nodes>
Bytes LoadedBlocks::bytesThrough(const Nodes& nodes) const
{
    Bytes bytes = 0;
    for (const StackId node : nodes)
        bytes += m_signatureOfNode.at(node.value()).bytes;
    return bytes;
}

std::vector<StackId> LoadedBlocks::copies(Bytes leastBytes) const
{
    std::vector<StackId> equalPaths = equalCopies();
    std::vector<StackId> nearPaths = nearCopies(leastBytes);
    return bytesThrough(nearPaths) > bytesThrough(equalPaths) ? nearPaths : equalPaths;
}

std::vector<StackId> LoadedBlocks::equalCopies() const
{
    std::map<PathSignature, std::set<StackId>> nodesBySignature;
    for (const auto& [node, signature] : m_signatureOfNode)
        if (isOutermost(node, signature)) {
            nodesBySignature[signature].insert(StackId(node));
            nodesBySignature[signature.widened()].insert(StackId(node));
        }
    std::vector<StackId> largestNodes;
    Bytes mostBytes = 0;
    for (const auto& [signature, nodes] : nodesBySignature)
        if (const Bytes bytes = bytesThrough(nodes); nodes.size() > 1 && bytes > mostBytes) {
            mostBytes = bytes;
            largestNodes.assign(nodes.begin(), nodes.end());
        }
    return largestNodes;
}

std::vector<StackId> LoadedBlocks::nearCopies(Bytes leastBytes) const
{
    std::vector<std::pair<StackId, SizeCounts>> largeNodes;
    for (const auto& [node, signature] : m_signatureOfNode)
        if (signature.bytes >= leastBytes && isOutermost(node, signature))
            largeNodes.emplace_back(StackId(node), SizeCounts());
    std::ranges::sort(largeNodes, {}, [](const auto& entry) { return entry.first.value(); });
    if (largeNodes.size() > kMaxPaths)
        return {};
    for (auto& [node, counts] : largeNodes)
        for (const AllocationIndex i : below(node))
            ++counts[m_study.allocations.recordedBytes(i)];
    std::vector<StackId> largestPair;
    Bytes mostBytes = 0;
    for (std::size_t a = 0; a < largeNodes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Bytes bytes = bytesOf(largeNodes[a].second) + bytesOf(largeNodes[b].second);
            if (bytes > mostBytes && !leadsTo(largeNodes[a].first, largeNodes[b].first)
                && !leadsTo(largeNodes[b].first, largeNodes[a].first)
                && areNearlyAlike(largeNodes[a].second, largeNodes[b].second)) {
                mostBytes = bytes;
                largestPair = {largeNodes[b].first, largeNodes[a].first};
            }
        }
    return largestPair;
}

std::vector<AllocationIndex> LoadedBlocks::below(StackId node) const
{
    std::vector<AllocationIndex> found;
    for (const AllocationIndex i : m_loaded)
        if (leadsTo(m_study.allocations.stack(i), node))
            found.push_back(i);
    return found;
}

bool LoadedBlocks::isLoaded(AllocationIndex i) const
{
    const AllocationTable& allocations = m_study.allocations;
    const Category category = m_study.categories.of(i);
    if (allocations.stackOrigin(i) == StackOrigin::Free
        || !m_study.trace.stacks.hasFrames(allocations.stack(i))
        || (category != Category::Parameter && !isUncategorized(category))
        || m_roles.roleOf(allocations.stack(i)).phase != Phase::Unknown)
        return false;
    const std::int64_t birth = allocations.birth(i);
    return birth < 0 || category == Category::Parameter || m_study.phases.at(birth) == Phase::Unknown;
}

void LoadedBlocks::add(AllocationIndex i)
{
    m_loaded.push_back(i);
    m_bytes += m_study.allocations.bytes(i);
    for (StackId node = m_study.allocations.stack(i); m_study.trace.stacks.hasFrames(node);
         node = m_study.trace.stacks.caller(node))
        m_signatureOfNode[node.value()].add(m_study.allocations.recordedBytes(i));
}

bool LoadedBlocks::isOutermost(std::uint32_t node, const PathSignature& signature) const
{
    const auto callerSignature = m_signatureOfNode.find(m_study.trace.stacks.caller(StackId(node)).value());
    return signature.count >= kFewestTensors
        && (callerSignature == m_signatureOfNode.end() || callerSignature->second != signature);
}

bool LoadedBlocks::leadsTo(StackId stack, StackId node) const
{
    while (m_study.trace.stacks.hasFrames(stack) && stack != node)
        stack = m_study.trace.stacks.caller(stack);
    return stack == node;
}

} // namespace highwater
