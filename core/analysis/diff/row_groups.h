#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/group_identity.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

/// The groups of one run's live allocations.
struct SideGroups
{
    GroupedAllocations grouped;
    std::vector<Bytes> each; ///< by group: the common size of its allocations; −1: they differ

    const CompositionGroup& group(std::uint32_t number) const { return grouped.composition.groups[number]; }
};

SideGroups sideGroups(const DiffInput& input, GroupKey key);

/// A row under construction: groups of both runs, by number.
struct RowGroups
{
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
    bool loose = false;
};

/// Combines groups at the same place of the program into rows. A group that both runs have under the same
/// line numbers is compared with itself; the others are matched by the lines that `classes` found to be the
/// same. If that line is already taken by one that has not moved, the group is matched with what that one
/// would have been matched with. So a row has one side only if the other side has no group left. O(groups ×
/// log groups).
std::vector<RowGroups> matchGroups(const DiffInput& before, const SideGroups& beforeGroups,
    const DiffInput& after, const SideGroups& afterGroups, GroupKey key, const StackClasses& classes);

} // namespace highwater
