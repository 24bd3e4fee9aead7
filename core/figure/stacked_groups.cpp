#include "core/figure/stacked_groups.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/composition/band_spans.h"
#include "core/analysis/composition/band_stack.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/figure/drawing/band_colors.h"
#include "core/figure/live/live_groups.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 5> kNames = {"category", "site", "size", "stream", "pool"};

CategoryBytes categoriesAfter(const DeviceStudy& study, std::int64_t event)
{
    return categoriesAt(study.allocations, study.categories, {event}).front();
}

/// Makes areas of bands that are grouped by category.
StackedGroups groupedByCategory(const DeviceStudy& study, BandGroups bands)
{
    StackedGroups stacked{StackedBy::Category, {}, {}, false, study.guessed};
    for (const BandGroup& band : bands.groups) {
        const Category category = categoryFromText(band.key).value_or(Category::Unknown);
        const bool isGuess = study.guessed[static_cast<std::size_t>(category)];
        stacked.groups.push_back(
            {fmt::format("{}{}", titleOf(category, isGuess), band.isKept ? ", kept" : ""), band.bytesAtPeak,
                bandColor({category, 0, isGuess, band.isKept}).light});
    }
    stacked.bands = std::move(bands);
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

/// Groups by anything but the category, with the rest as one group.
StackedGroups groupedByBand(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event)
{
    StackedGroups stacked{by, {}, groupBands(study.trace, live, study.sites, event, bandModeOf(by))};
    std::vector<BandGroup>& bands = stacked.bands.groups;
    const std::size_t ownGroups = bands.size() > kDistinctGroups + 1 ? kDistinctGroups : bands.size();
    for (std::size_t rank = 0; rank < ownGroups; ++rank)
        stacked.groups.push_back({bands[rank].label, bands[rank].bytesAtPeak,
            bands[rank].isUnnamed ? kRestColor : groupColor(rank)});
    if (ownGroups == bands.size())
        return stacked;
    Bytes rest = 0;
    for (std::size_t rank = ownGroups; rank < bands.size(); ++rank)
        rest += bands[rank].bytesAtPeak;
    stacked.groups.push_back({restLabel(bands.size() - ownGroups, by), rest, kRestColor});
    for (GroupRank& rank : stacked.bands.rankOf)
        rank = std::min(rank, static_cast<GroupRank>(ownGroups));
    bands.resize(ownGroups + 1);
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
    const Bytes unknown = bytes[static_cast<std::size_t>(Category::Unknown)]
        + bytes[static_cast<std::size_t>(Category::BeforeRecording)];
    const Bytes total = std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
    return total > 0 && unknown <= total / 2 ? StackedBy::Category : StackedBy::Site;
}

StackedGroups stackGroups(const DeviceStudy& study, const LiveIndex& live, StackedBy by, std::int64_t event)
{
    return by == StackedBy::Category ? groupedByCategory(study,
               groupBands(study.trace, live, study.sites, event, BandMode::Category, &study.categories))
                                     : groupedByBand(study, live, by, event);
}

StackedGroups stackSites(const DeviceStudy& study, const LiveIndex& live, std::int64_t event)
{
    const LiveGroups own = liveGroups(study, live);
    StackedGroups stacked{StackedBy::Site, {}, {}, hasCategoryColors(study, live), study.guessed};
    stacked.bands.mode = BandMode::Site;
    stacked.bands.keptBlocks = own.bands.keptBlocks;
    stacked.bands.groups.resize(own.groups.size());
    stacked.bands.keptRankOf.resize(own.groups.size());
    for (std::size_t band = own.groupOfBand.size(); band-- > 0;) {
        const GroupRank rank = own.groupOfBand[band];
        stacked.bands.groups[rank] = own.bands.groups[band];
        stacked.bands.groups[rank].label = own.groups[rank].label;
        stacked.bands.keptRankOf[rank] = own.groupOfBand[own.bands.keptRankOf[band]];
    }
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        stacked.bands.rankOf.push_back(own.rank(i));
    const std::vector<Bytes> bytes = groupBytesAt(live, stacked.bands, std::array{event}).front();
    for (std::size_t rank = 0; rank < own.groups.size(); ++rank)
        stacked.groups.push_back({own.groups[rank].label, bytes[rank], own.groups[rank].color.light});
    return stacked;
}

StackedGroups stackKeptApart(const DeviceStudy& study, const LiveIndex& live, std::int64_t event)
{
    auto keptBlocks
        = std::make_shared<const KeptBlocks>(study.allocations, study.phases, study.steps, study.categories);
    return groupedByCategory(
        study, stackBands(study, live, {}, std::move(keptBlocks), event, BandMode::Category));
}

std::vector<std::vector<Bytes>> groupTotals(
    const StackedGroups& groups, const LiveIndex& live, const std::vector<PixelColumn>& columns)
{
    const std::vector<std::int64_t> events = shownEvents(columns);
    const std::vector<std::vector<Bytes>> bytesAtEvents = groupBytesAt(live, groups.bands, events);
    std::vector<std::vector<Bytes>> totals;
    totals.reserve(columns.size());
    for (const PixelColumn& column : columns) {
        const auto found = std::ranges::lower_bound(events, column.event);
        if (column.event == kNoState)
            totals.emplace_back(groups.groups.size(), 0);
        else
            totals.push_back(bytesAtEvents[static_cast<std::size_t>(found - events.begin())]);
    }
    return totals;
}

} // namespace highwater
