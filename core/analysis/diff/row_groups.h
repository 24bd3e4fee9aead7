#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/group_identity.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

/// The groups of one run's live allocations by one key.
struct SideGroups
{
    GroupedAllocations grouped;
    std::vector<Bytes> bytesOfEach; ///< By group: the common size of its allocations; −1 if they differ

    const CompositionGroup& group(std::uint32_t number) const { return grouped.composition.groups[number]; }
};

/// Groups the live allocations of one run. O(live).
SideGroups sideGroups(const DiffInput& input, GroupKey key);

/// A row under construction: the groups of each run, as ranges of `MatchedGroups::before` and
/// `MatchedGroups::after`.
struct RowGroups
{
    RowRange before;
    RowRange after;
    /// True if the stacks of both runs agree only in the user's own frames (see `DiffRow::isLoose`).
    bool isLoose = false;
};

/// The rows under construction. There may be a million, most with one group per run.
struct MatchedGroups
{
    std::vector<RowGroups> rows;
    std::vector<std::uint32_t> before; ///< group numbers; those of one row are adjacent
    std::vector<std::uint32_t> after;

    std::span<const std::uint32_t> beforeOf(const RowGroups& row) const
    {
        return groupsIn(before, row.before);
    }
    std::span<const std::uint32_t> afterOf(const RowGroups& row) const { return groupsIn(after, row.after); }

private:
    static std::span<const std::uint32_t> groupsIn(const std::vector<std::uint32_t>& groups, RowRange range)
    {
        return std::span<const std::uint32_t>(groups).subspan(range.first, range.size());
    }
};

/// Combines groups at the same place of the program into rows.
/// - A place that both runs have under the same line numbers is compared with itself.
/// - Any other place of the run after is matched with the place that `classes` identifies in the run before.
/// - If an unmoved line already takes that place, the search continues with the place that `classes` would
///   have given to the unmoved line.
///
/// A row therefore has one side only if no such place is left. O(groups × log groups).
MatchedGroups matchGroups(const DiffInput& before, const SideGroups& beforeGroups, const DiffInput& after,
    const SideGroups& afterGroups, GroupKey key, const StackClasses& classes);

} // namespace highwater
