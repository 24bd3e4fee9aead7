#include "core/figure/stacked_groups.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/usage/live_spans.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 5> kNames = {"category", "site", "size", "stream", "pool"};

CategoryBytes categoriesAfter(const DeviceStudy& study, std::int64_t event)
{
    return categoriesAt(study.allocations, study.categories, {event}).front();
}

StackedGroups byCategory(const DeviceStudy& study, std::int64_t event)
{
    const CategoryBytes bytes = categoriesAfter(study, event);
    StackedGroups stacked{StackedBy::Category, {}, {}};
    std::array<std::uint16_t, kCategoryCount> rank{};
    for (const Category category : stackingOrder(bytes)) {
        const auto index = static_cast<std::size_t>(category);
        rank[index] = static_cast<std::uint16_t>(stacked.groups.size());
        stacked.groups.push_back({std::string(titleOf(category)), bytes[index], categoryColor(category)});
    }
    stacked.rankOf.reserve(study.allocations.size());
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        stacked.rankOf.push_back(rank[static_cast<std::size_t>(study.categories.of(i))]);
    return stacked;
}

BandMode bandModeOf(StackedBy by)
{
    switch (by) {
    case StackedBy::SizeClass: return BandMode::SizeClass;
    case StackedBy::Stream: return BandMode::Stream;
    case StackedBy::Pool: return BandMode::Pool;
    default: return BandMode::Site;
    }
}

std::string restLabel(std::size_t count, StackedBy by)
{
    static constexpr std::array<std::string_view, 5> kPlural
        = {"categories", "call sites", "size classes", "streams", "pools"};
    return fmt::format("{} other {}", formatCount(count), kPlural[static_cast<std::size_t>(by)]);
}

StackedGroups byBands(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event)
{
    const BandGroups bands = groupBands(study.trace, live, study.sites, event, bandModeOf(by));
    StackedGroups stacked{by, {}, {}};
    const std::size_t own = bands.groups.size() > kDistinctGroups + 1 ? kDistinctGroups : bands.groups.size();
    Bytes rest = 0;
    for (std::size_t rank = 0; rank < bands.groups.size(); ++rank) {
        const BandGroup& group = bands.groups[rank];
        if (rank < own)
            stacked.groups.push_back(
                {group.label, group.bytesAtPeak, group.unnamed ? kRestColor : groupColor(rank)});
        else
            rest += group.bytesAtPeak;
    }
    if (own < bands.groups.size())
        stacked.groups.push_back({restLabel(bands.groups.size() - own, by), rest, kRestColor});
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        stacked.rankOf.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(bands.rank(i), own)));
    return stacked;
}

} // namespace

std::string_view toText(StackedBy by)
{
    return kNames[static_cast<std::size_t>(by)];
}

std::optional<StackedBy> stackedByFromText(std::string_view text)
{
    return valueNamed<StackedBy>(kNames, text);
}

StackedBy bestStacking(const DeviceStudy& study, std::int64_t event)
{
    const CategoryBytes bytes = categoriesAfter(study, event);
    const Bytes unknown = bytes[static_cast<std::size_t>(Category::Unknown)];
    const Bytes total = std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
    return total > 0 && unknown <= total / 2 ? StackedBy::Category : StackedBy::Site;
}

StackedGroups stackGroups(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event)
{
    return by == StackedBy::Category ? byCategory(study, event) : byBands(study, live, by, event);
}

std::vector<std::vector<Bytes>> groupTotals(
    const StackedGroups& groups, const LiveIndex& live, const std::vector<PixelColumn>& columns)
{
    const std::vector<std::int64_t> events = shownEvents(columns);
    const std::vector<std::vector<Bytes>> shown
        = groupBytesAt(live, events, groups.rankOf, groups.groups.size());
    std::vector<std::vector<Bytes>> totals;
    totals.reserve(columns.size());
    for (const PixelColumn& column : columns) {
        const auto at = std::ranges::lower_bound(events, column.event);
        if (column.event == kNoState)
            totals.emplace_back(groups.groups.size(), 0);
        else
            totals.push_back(shown[static_cast<std::size_t>(at - events.begin())]);
    }
    return totals;
}

} // namespace highwater
