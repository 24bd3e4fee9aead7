#include "app/views/charts/node_groups.h"

#include <utility>

#include "core/base/hash.h"

namespace highwater::gui {

namespace {
/// A node is a mixture if more than one fifth of its bytes is outside its largest group.
constexpr int kMixtureDivisor = 5;
} // namespace

std::vector<std::optional<GroupRank>> mainGroups(
    const CallTree& tree, const BandGroups& groups, const AllocationTable& allocations, const LiveSet& set)
{
    using Sums = NumberMap<std::uint32_t, Bytes>;
    std::vector<Sums> sums(tree.nodes.size());
    for (std::size_t i = 0; i < set.allocations.size(); ++i) {
        const AllocationIndex allocation = set.allocations[i];
        sums[tree.endOf[i]][groups.rank(allocation)] += allocations.bytes(allocation);
    }
    std::vector<std::optional<GroupRank>> main(tree.nodes.size());
    for (std::size_t node = tree.nodes.size(); node-- > 0;) {
        Sums own = std::exchange(sums[node], {}); // complete, because callees come after their callers
        Bytes all = 0;
        for (const auto& [group, bytes] : own)
            all += bytes;
        for (const auto& [group, bytes] : own)
            if (bytes > 0 && all - bytes <= all / kMixtureDivisor)
                main[node] = static_cast<GroupRank>(group);
        Sums& above = sums[tree.nodes[node].parent];
        if (node == CallTree::kRoot)
            break;
        if (above.size() < own.size())
            std::swap(above, own); // adds the smaller one to the larger one
        for (const auto& [group, bytes] : own)
            above[group] += bytes;
    }
    return main;
}

} // namespace highwater::gui
