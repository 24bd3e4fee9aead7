#include "core/study/live_moment.h"

#include <algorithm>

#include "core/analysis/composition/user_sites.h"
#include "core/analysis/device/cut_off.h"

namespace highwater {

namespace {

Composition groupedComposition(
    const DeviceStudy& study, std::int64_t event, const std::optional<GroupKey>& key)
{
    if (!key)
        return userSitesAt(study.trace, study.allocations, study.sites, event);
    return compositionAt(study.trace, study.allocations, study.sites, event, *key, &study.categories);
}

} // namespace

std::vector<SizeShape> LiveMoment::shapesOf(std::size_t group) const
{
    const auto found = shapes.find(sizes[group]);
    return found == shapes.end() ? std::vector<SizeShape>() : found->second;
}

LiveMoment liveMoment(const DeviceStudy& study, std::int64_t event, const LiveGrouping& grouping)
{
    LiveMoment moment;
    const AllocationTable& allocations = study.allocations;
    moment.composition = groupedComposition(study, event, grouping.key);
    moment.quantity = allocations.quantity();
    moment.isAtLeast = totalsAreLowerBounds(study.about());
    if (allocations.hasInferred())
        moment.isInferred = std::ranges::any_of(
            allocations.liveAt(event), [&](AllocationIndex i) { return allocations.isInferred(i); });
    const std::vector<CompositionGroup>& groups = moment.composition.groups;
    moment.shown = grouping.top == 0 ? groups.size() : std::min(grouping.top, groups.size());
    for (std::size_t i = moment.shown; i < groups.size(); ++i) {
        moment.restBytes += groups[i].bytes;
        moment.restCount += groups[i].count;
    }
    for (const CompositionGroup& group : groups)
        moment.sizes.push_back(allocations.recordedBytes(group.example));
    return moment;
}

} // namespace highwater
