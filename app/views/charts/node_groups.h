#pragma once

#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater::gui {

/// Returns for each node of a tree the group with most of its bytes, so that the node can have the group's
/// colour in the timeline; 0 if it has no bytes. `set` holds the allocations of the tree. O(set + nodes ×
/// groups in them).
std::vector<GroupRank> mainGroups(
    const CallTree& tree, const BandGroups& groups, const AllocationTable& allocations, const LiveSet& set);

} // namespace highwater::gui
