#pragma once

#include <optional>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/stacks/call_tree.h"

namespace highwater::gui {

/// Returns for each node of a tree the group with at least four fifths of its bytes, so that the node can
/// have the group's colour in the timeline; nullopt if there is none. `set` holds the allocations of the
/// tree. O(set + nodes × groups in them).
std::vector<std::optional<GroupRank>> mainGroups(
    const CallTree& tree, const BandGroups& groups, const AllocationTable& allocations, const LiveSet& set);

} // namespace highwater::gui
