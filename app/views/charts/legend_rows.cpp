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
    Bytes bytesAtPeak = 0;
    bool isFamily = false; ///< the sum of a family (`BandGroup::familyTitle`), of which `group` is the lowest
};

/// Returns the live bytes right after an event by group, in the order of the groups.
std::vector<GroupTotal> totalsAt(const DeviceAnalysis& analysis, const BandGroups& groups, std::int64_t event)
{
    const LiveIndex& live = analysis.live;
    std::vector<GroupTotal> totals(groups.groups.size());
    for (std::size_t group = 0; group < totals.size(); ++group) {
        totals[group].group = static_cast<GroupRank>(group);
        totals[group].bytesAtPeak = groups.groups[group].bytesAtPeak;
    }
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
                family.bytesAtPeak += member->bytesAtPeak;
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
        total.bytes, total.kept, total.count, total.group, total.bytesAtPeak};
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

/// True if the group has a colour that is not that of all small modules.
bool hasColor(const BandView& view, GroupRank group)
{
    return view.mode() != BandMode::Module
        || view.palette()->themedColor(group).light != kThemedSmallModuleColor.light;
}

/// Returns for each total whether it has a row of its own.
std::vector<bool> ownRows(const BandView& view, const std::vector<GroupTotal>& totals, std::size_t top)
{
    std::vector<bool> isOwn;
    std::vector<std::size_t> named;
    for (const GroupTotal& total : totals) {
        const bool isUnnamed = view.groups()->groups[total.group].isUnnamed;
        if (!isUnnamed && hasColor(view, total.group))
            named.push_back(isOwn.size());
        isOwn.push_back(isUnnamed || isHiddenOrIsolated(view, total.group));
    }
    std::ranges::stable_sort(
        named, std::ranges::greater(), [&](std::size_t i) { return totals[i].bytesAtPeak; });
    for (std::size_t i = 0; i < std::min(top, named.size()); ++i)
        isOwn[named[i]] = true;
    return isOwn;
}

/// Adds a total to the row of other groups.
void addOther(LegendRow& others, const GroupTotal& total, const QColor& color, bool isFirst)
{
    others.bytes += total.bytes;
    others.kept += total.kept;
    others.count += total.count;
    others.bytesAtPeak += total.bytesAtPeak;
    if (isFirst)
        others.color = color;
    else if (others.color != color)
        others.color = QColor();
}

} // namespace

std::vector<LegendRow> legendRows(const BandView& view, std::int64_t event, std::size_t top, Ground ground)
{
    std::vector<LegendRow> rows;
    LegendRow otherGroups;
    std::int64_t otherCount = 0;
    std::size_t placeOfOthers = 0;
    const std::vector<GroupTotal> totals
        = withFamilies(view, totalsAt(*view.analysis(), *view.groups(), event));
    const std::vector<bool> isOwn = ownRows(view, totals, top);
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (isOwn[i]) {
            rows.push_back(rowOf(view, totals[i], ground));
            continue;
        }
        if (otherCount == 0)
            placeOfOthers = rows.size();
        addOther(otherGroups, totals[i], view.palette()->color(totals[i].group, ground), otherCount++ == 0);
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
