#pragma once

#include <optional>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/tensor_shapes/shapes_at.h"

namespace highwater {

/// What was live right after an event, in groups, of which the first are shown.
struct LiveMoment
{
    Composition composition;
    Quantity quantity = Quantity::Requested;
    bool inferred = false; ///< at least one of the allocations counts with a lower bound
    bool atLeast = false; ///< the file is cut off: allocations may be missing
    std::size_t shown = 0; ///< groups
    Bytes restBytes = 0; ///< of the groups that are not shown
    std::int64_t restCount = 0; ///< their allocations
    std::vector<Bytes> sizes; ///< by group: of its largest allocation, as recorded
    ShapesBySize shapes; ///< where groups are sizes and shapes are asked for

    /// What the allocations of a group may be; empty: nothing is known, or groups are no sizes.
    std::vector<SizeShape> shapesOf(std::size_t group) const;
};

/// How the live allocations are grouped.
struct LiveGrouping
{
    std::optional<GroupKey> key; ///< none: by the lines of the user's own code (`UserSite`)
    std::size_t top = 0; ///< groups that are shown; 0: all
};

/// `event` −1: before the first. O(allocations).
LiveMoment liveMoment(const DeviceStudy& study, std::int64_t event, const LiveGrouping& grouping);

} // namespace highwater
