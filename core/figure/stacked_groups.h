#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/pixel_columns.h"
#include "core/figure/drawing/figure.h"

namespace highwater {

/// The grouping of a figure's areas.
enum class StackedBy : std::uint8_t
{
    Category,
    Site,
    SizeClass,
    Stream,
    Pool,
};

/// Returns "category", "site", "size", "stream", "pool".
std::string_view toText(StackedBy by);
std::optional<StackedBy> stackedByFromText(std::string_view text);

/// Returns Category if it is known for at least half of the bytes live right after the event, where memory
/// from before the recording counts as unknown; else Site.
StackedBy bestStacking(const DeviceStudy& study, std::int64_t event);

/// One area of a figure.
struct StackedGroup
{
    std::string label;
    Bytes bytes = 0; ///< Bytes right after the event for which the groups were made
    FigureColor color = 0;
};

/// A partition of all allocations into groups.
struct StackedGroups
{
    StackedBy by = StackedBy::Category;
    std::vector<StackedGroup> groups; ///< From the bottom up
    BandGroups bands; ///< The same groups, and the group of each allocation
    bool hasCategoryColors = false; ///< Call sites in variants of the colours of their categories
    GuessedCategories guessed{}; ///< The categories of the device that are guesses
};

/// Groups the allocations by `by`: categories in their `stackingOrder`, others by their bytes right after the
/// event, the largest at the bottom. If there are more than eleven call sites, sizes, streams or pools, all
/// but the ten largest form one group. O(allocations).
StackedGroups stackGroups(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event);

/// Groups by call site as the window shows them first, in its colours: `liveGroups`. Memory kept from earlier
/// steps is in groups of its own. O(allocations).
StackedGroups stackSites(const DeviceStudy& study, const LiveIndex& live, std::int64_t event);

/// Groups by category as `stackBands` stacks them: memory kept from earlier steps is a group of its own
/// ("activations, kept"), and so is a category's memory from the set-up. Several groups may share a label and
/// colour. O(allocations).
StackedGroups stackKeptApart(const DeviceStudy& study, const LiveIndex& live, std::int64_t event);

/// Returns the bytes of each group in each column: [column][group]. A column adds up to its total; columns
/// without an event are 0. As fast as `groupBytesAt`.
std::vector<std::vector<Bytes>> groupTotals(
    const StackedGroups& groups, const LiveIndex& live, const std::vector<PixelColumn>& columns);

} // namespace highwater
