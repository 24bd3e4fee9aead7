#pragma once

#include <optional>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/tensor_shapes/shapes_at.h"

namespace highwater {

/// The memory alive right after an event, in groups, of which the first `shown` are shown. A plain value.
struct LiveMoment
{
    Composition composition;
    Quantity quantity = Quantity::Requested;
    bool isInferred = false; ///< true if the size of an allocation in it is a lower bound
    bool isAtLeast = false; ///< true if the file is cut off, so that allocations may be missing
    std::size_t shown = 0; ///< number of groups shown
    Bytes restBytes = 0; ///< bytes of the groups that are not shown
    std::int64_t restCount = 0; ///< number of allocations in these groups
    std::vector<Bytes> sizes; ///< by group: recorded size of its largest allocation
    ShapesBySize shapes; ///< set by callers that show shapes of groups of one size; else empty

    /// Returns the possible shapes of a group's allocations; empty if unknown or if groups are not sizes.
    std::vector<SizeShape> shapesOf(std::size_t group) const;
};

/// The way in which live allocations are grouped.
struct LiveGrouping
{
    std::optional<GroupKey> key; ///< nullopt to group by the lines of the user's own code (`UserSite`)
    std::size_t top = 0; ///< number of groups shown; 0 for all
};

/// Groups the allocations alive right after `event`; −1 means before the first event. O(allocations).
LiveMoment liveMoment(const DeviceStudy& study, std::int64_t event, const LiveGrouping& grouping);

} // namespace highwater
