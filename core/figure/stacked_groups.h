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

/// What the areas of a figure represent.
enum class StackedBy : std::uint8_t
{
    Category,
    Site,
    SizeClass,
    Stream,
    Pool,
};

/// "category", "site", "size", "stream", "pool".
std::string_view toText(StackedBy by);
std::optional<StackedBy> stackedByFromText(std::string_view text);

/// Category where it is known for at least half of the bytes that are live right after the event, else Site.
StackedBy bestStacking(const DeviceStudy& study, std::int64_t event);

struct StackedGroup
{
    std::string label;
    Bytes bytes = 0; ///< right after the event for which the groups were made
    FigureColor color = 0;
};

/// A partition of all allocations into few groups, ordered by their bytes at one event, the largest at the
/// bottom, categories in their stackingOrder; all but the ten largest call sites, sizes, streams or pools are
/// one group.
struct StackedGroups
{
    StackedBy by = StackedBy::Category;
    std::vector<StackedGroup> groups; ///< from the bottom up
    BandGroups bands; ///< the same, and which allocation belongs to which
};

/// O(allocations).
StackedGroups stackGroups(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event);

/// Categories as `stackBands` stacks them: what is held from earlier steps is a group of its own
/// ("activations, held"), and so is what a category has in the set-up. Several may have one label and colour.
/// O(allocations).
StackedGroups stackHeldApart(const DeviceStudy& study, const LiveIndex& live, std::int64_t event);

/// Bytes of each group in each column: [column][group]. A column sums to its total. As `groupBytesAt`.
std::vector<std::vector<Bytes>> groupTotals(
    const StackedGroups& groups, const LiveIndex& live, const std::vector<PixelColumn>& columns);

} // namespace highwater
