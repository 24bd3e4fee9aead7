#include "app/views/charts/legend_rows.h"

#include <algorithm>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

struct GroupTotal
{
    GroupRank group = 0;
    Bytes bytes = 0;
    Bytes kept = 0;
    std::int64_t count = 0;
    GradeBytes grades{};
    bool isFamily = false; ///< the sum of a family (`BandGroup::familyTitle`), of which `group` is the lowest
};

/// Returns the live bytes right after an event by group, in the order of the groups.
std::vector<GroupTotal> totalsAt(const DeviceAnalysis& analysis, const BandGroups& groups, std::int64_t event)
{
    const LiveIndex& live = analysis.live;
    std::vector<GroupTotal> totals(groups.groups.size());
    for (std::size_t group = 0; group < totals.size(); ++group)
        totals[group].group = static_cast<GroupRank>(group);
    std::vector<AllocationIndex> alive;
    live.liveAt(event, alive);
    for (const AllocationIndex allocation : alive) {
        GroupTotal& total = totals[groups.rank(allocation)];
        total.bytes += live.allocations().bytes(allocation);
        total.kept
            += analysis.keptBlocks->isKept(allocation, event) ? live.allocations().bytes(allocation) : 0;
        total.grades[static_cast<std::size_t>(analysis.categories.gradeOf(allocation))]
            += live.allocations().bytes(allocation);
        ++total.count;
    }
    return totals;
}

bool isHiddenOrIsolated(const BandView& view, GroupRank group)
{
    return view.isHidden(group) || view.isolated() == group;
}

/// Sums up the groups of each family, which are adjacent, unless one of them is hidden or isolated.
std::vector<GroupTotal> withFamilies(const BandView& view, const std::vector<GroupTotal>& totals)
{
    const std::vector<BandGroup>& groups = view.groups()->groups;
    std::vector<GroupTotal> result;
    for (auto begin = totals.begin(); begin != totals.end();) {
        const BandGroup& first = groups[begin->group];
        const auto end = first.familyTitle.empty()
            ? begin + 1
            : std::find_if(begin, totals.end(),
                [&](const GroupTotal& total) { return groups[total.group].family != first.family; });
        const bool isApart = std::any_of(
            begin, end, [&](const GroupTotal& total) { return isHiddenOrIsolated(view, total.group); });
        if (end - begin == 1 || isApart) {
            result.insert(result.end(), begin, end);
        } else {
            GroupTotal family{.group = begin->group, .isFamily = true};
            for (auto member = begin; member != end; ++member) {
                family.bytes += member->bytes;
                family.kept += member->kept;
                family.count += member->count;
            }
            result.push_back(family);
        }
        begin = end;
    }
    return result;
}

/// Returns the category of a group; nullopt for other groups and for what has no known purpose.
std::optional<Category> knownCategory(const BandGroups& groups, GroupRank group)
{
    const std::optional<Category> category
        = groups.mode == BandMode::Category ? categoryFromText(groups.groups[group].key) : std::nullopt;
    return category && !isUncategorized(*category) ? category : std::nullopt;
}

/// Returns the entry of a group or a family.
LegendRow rowOf(const BandView& view, const GroupTotal& total, Ground ground)
{
    const BandGroup& group = view.groups()->groups[total.group];
    LegendRow row{view.palette()->color(total.group, ground), toQString(group.label), toQString(group.key),
        total.bytes, total.kept, total.count, total.group};
    if (total.isFamily) {
        row.label = row.tip = toQString(group.familyTitle);
        row.group.reset();
    }
    const std::optional<Category> category = knownCategory(*view.groups(), total.group);
    if (!category)
        return row;
    row.tip = toQString(titleOf(*category));
    if (const std::optional<Grade> grade = overallGrade(total.grades); grade && *grade != Grade::A)
        row.tip += QStringLiteral(" (%1)").arg(toQString(inWords(*grade)));
    if (view.analysis()->study.guessed[static_cast<std::size_t>(*category)])
        row.tip += QLatin1Char('\n') + guessText();
    return row;
}

} // namespace

std::vector<LegendRow> legendRows(const BandView& view, std::int64_t event, std::size_t top, Ground ground)
{
    std::vector<LegendRow> rows;
    LegendRow otherGroups;
    std::size_t namedCount = 0;
    std::int64_t otherCount = 0;
    std::size_t placeOfOthers = 0;
    for (const GroupTotal& total : withFamilies(view, totalsAt(*view.analysis(), *view.groups(), event))) {
        const bool isUnnamed = view.groups()->groups[total.group].isUnnamed;
        if (isUnnamed || namedCount++ < top || isHiddenOrIsolated(view, total.group)) {
            rows.push_back(rowOf(view, total, ground));
            continue;
        }
        otherGroups.bytes += total.bytes;
        otherGroups.kept += total.kept;
        otherGroups.count += total.count;
        if (otherCount++ == 0)
            placeOfOthers = rows.size();
    }
    if (otherCount == 0)
        return rows;
    const QString noun = groupNoun(view.groups()->mode);
    otherGroups.label
        = BandView::tr("other %1s (%2)").arg(noun.section(QLatin1Char(' '), -1), countText(otherCount));
    otherGroups.tip = BandView::tr("%1 other %2s").arg(countText(otherCount), noun);
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(placeOfOthers), otherGroups);
    return rows;
}

QString moreText(std::size_t entries)
{
    return BandView::tr("%1 more").arg(countText(static_cast<std::int64_t>(entries)));
}

} // namespace highwater::gui
