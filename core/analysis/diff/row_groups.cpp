#include "core/analysis/diff/row_groups.h"

#include <algorithm>
#include <limits>

namespace highwater {

namespace {

/// True for keys whose text alone identifies the group: streams, pools, modules and categories.
bool isByText(GroupKey key)
{
    return key == GroupKey::Module || key == GroupKey::Category || key == GroupKey::Stream
        || key == GroupKey::Pool;
}

/// The groups of one run with the same identity.
struct GroupsOfPlace
{
    GroupIdentity own; ///< by the run's own line numbers
    GroupIdentity matched; ///< by the line numbers of the run before
    RowRange groups; ///< range in `Places::groups`
};

struct Places
{
    std::vector<GroupsOfPlace> each; ///< ordered by own identity
    std::vector<std::uint32_t> groups;
};

Places placesOf(
    const DiffInput& input, const SideGroups& side, GroupKey key, const StackClasses::Side& classes)
{
    const auto identity = [&](std::uint32_t group, LineRule lines) {
        return isByText(key) ? GroupIdentity{0, side.group(group).key}
                             : identityOf(input, classes, side.group(group).example, key, lines);
    };
    std::vector<std::pair<GroupIdentity, std::uint32_t>> order;
    order.reserve(side.each.size());
    for (std::uint32_t group = 0; group < side.each.size(); ++group)
        order.emplace_back(identity(group, LineRule::Equal), group);
    std::ranges::sort(order);
    Places places;
    places.groups.reserve(order.size());
    for (auto& [own, group] : order) {
        const auto at = static_cast<std::uint32_t>(places.groups.size());
        if (places.each.empty() || places.each.back().own != own)
            places.each.push_back({std::move(own), identity(group, LineRule::Matched), {at, at}});
        places.groups.push_back(group);
        ++places.each.back().groups.last;
    }
    return places;
}

class PlaceMatcher
{
public:
    PlaceMatcher(const std::vector<GroupsOfPlace>& before, const std::vector<GroupsOfPlace>& after)
        : m_before(before)
        , m_after(after)
        , m_partner(before.size(), kNone)
    {
    }

    std::vector<RowGroups> run()
    {
        std::vector<std::uint32_t> left;
        for (std::uint32_t i = 0; i < m_after.size(); ++i)
            if (const std::uint32_t same = find(m_after[i].own); same != kNone)
                m_partner[same] = i;
            else
                left.push_back(i);
        std::erase_if(left, [this](std::uint32_t i) { return takeMatched(i); });
        return rows(left);
    }

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    /// Returns the index of the place in the run before, or kNone.
    std::uint32_t find(const GroupIdentity& identity) const
    {
        const auto found = std::ranges::lower_bound(m_before, identity, {}, &GroupsOfPlace::own);
        return found != m_before.end() && found->own == identity
            ? static_cast<std::uint32_t>(found - m_before.begin())
            : kNone;
    }

    /// Matches a place after that has no equal place before; returns false if none is free. If an unmoved
    /// line takes the matched place, continues with the place that `classes` matches with the unmoved line.
    /// Two such searches never end at the same place, because no two lines are matched with one line.
    bool takeMatched(std::uint32_t after)
    {
        std::uint32_t at = find(m_after[after].matched);
        while (at != kNone && m_partner[at] != kNone) {
            const GroupsOfPlace& occupant = m_after[m_partner[at]];
            if (occupant.own != m_before[at].own || occupant.matched == occupant.own)
                return false;
            at = find(occupant.matched);
        }
        if (at != kNone)
            m_partner[at] = after;
        return at != kNone;
    }

    /// Makes the rows, ordered by identity in the run before. `left` are the places after that have no
    /// partner.
    std::vector<RowGroups> rows(const std::vector<std::uint32_t>& left) const
    {
        struct Found
        {
            const GroupIdentity* identity;
            std::uint32_t before;
            std::uint32_t after;
        };
        std::vector<Found> found;
        found.reserve(m_before.size() + left.size());
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            found.push_back({&m_before[i].own, i, m_partner[i]});
        for (const std::uint32_t i : left)
            found.push_back({&m_after[i].matched, kNone, i});
        std::ranges::stable_sort(
            found, [](const Found& a, const Found& b) { return *a.identity < *b.identity; });
        std::vector<RowGroups> rows(found.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i].before != kNone)
                rows[i].before = m_before[found[i].before].groups;
            if (found[i].after != kNone)
                rows[i].after = m_after[found[i].after].groups;
        }
        return rows;
    }

    const std::vector<GroupsOfPlace>& m_before;
    const std::vector<GroupsOfPlace>& m_after;
    std::vector<std::uint32_t> m_partner; ///< place after, by place before
};

} // namespace

SideGroups sideGroups(const DiffInput& input, GroupKey key)
{
    SideGroups side;
    side.grouped
        = groupAllocations(input.trace, input.allocations, input.sites, input.live, key, input.categories);
    side.each.assign(side.grouped.composition.groups.size(), 0);
    for (std::size_t i = 0; i < input.live.size(); ++i) {
        Bytes& each = side.each[side.grouped.groupOf[i]];
        const Bytes bytes = input.allocations.bytes(input.live[i]);
        each = each == 0 || each == bytes ? bytes : -1;
    }
    return side;
}

MatchedGroups matchGroups(const DiffInput& before, const SideGroups& beforeGroups, const DiffInput& after,
    const SideGroups& afterGroups, GroupKey key, const StackClasses& classes)
{
    Places ofBefore = placesOf(before, beforeGroups, key, classes.before);
    Places ofAfter = placesOf(after, afterGroups, key, classes.after);
    std::vector<RowGroups> rows = PlaceMatcher(ofBefore.each, ofAfter.each).run();
    return {std::move(rows), std::move(ofBefore.groups), std::move(ofAfter.groups)};
}

} // namespace highwater
