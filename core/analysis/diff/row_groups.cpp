#include "core/analysis/diff/row_groups.h"

#include <algorithm>
#include <limits>

namespace highwater {

namespace {

/// True for keys whose text alone identifies the group: streams, pools, modules and categories.
bool isIdentifiedByText(GroupKey key)
{
    return key == GroupKey::Module || key == GroupKey::Category || key == GroupKey::Stream
        || key == GroupKey::Pool;
}

/// The groups of one run with the same identity.
struct GroupsOfPlace
{
    GroupIdentity ownIdentity; ///< by the run's own line numbers
    GroupIdentity matchedIdentity; ///< by the line numbers of the run before
    RowRange groups; ///< range in `PlaceTable::groups`
};

/// The groups of one run, by place of the program.
struct PlaceTable
{
    std::vector<GroupsOfPlace> places; ///< ordered by own identity
    std::vector<std::uint32_t> groups; ///< group numbers; those of one place are adjacent
};

/// Returns the groups of one run by identity.
PlaceTable placesOf(
    const DiffInput& input, const SideGroups& side, GroupKey key, const StackClasses::Side& classes)
{
    const auto identity = [&](std::uint32_t group, LineRule lines) {
        return isIdentifiedByText(key) ? GroupIdentity{0, side.group(group).key}
                                       : identityOf(input, classes, side.group(group).example, key, lines);
    };
    std::vector<std::pair<GroupIdentity, std::uint32_t>> order;
    order.reserve(side.bytesOfEach.size());
    for (std::uint32_t group = 0; group < side.bytesOfEach.size(); ++group)
        order.emplace_back(identity(group, LineRule::Equal), group);
    std::ranges::sort(order);
    PlaceTable table;
    table.groups.reserve(order.size());
    for (auto& [ownIdentity, group] : order) {
        const auto begin = static_cast<std::uint32_t>(table.groups.size());
        if (table.places.empty() || table.places.back().ownIdentity != ownIdentity)
            table.places.push_back(
                {std::move(ownIdentity), identity(group, LineRule::Matched), {begin, begin}});
        table.groups.push_back(group);
        ++table.places.back().groups.last;
    }
    return table;
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

    std::vector<RowGroups> match()
    {
        std::vector<std::uint32_t> unpaired;
        for (std::uint32_t i = 0; i < m_after.size(); ++i)
            if (const std::uint32_t partner = findPlaceBefore(m_after[i].ownIdentity); partner != kNone)
                m_partner[partner] = i;
            else
                unpaired.push_back(i);
        std::erase_if(unpaired, [this](std::uint32_t i) { return tryPairMovedPlace(i); });
        return makeRows(unpaired);
    }

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    /// Returns the index of the place of the run before with this own identity, or kNone.
    std::uint32_t findPlaceBefore(const GroupIdentity& identity) const
    {
        const auto found = std::ranges::lower_bound(m_before, identity, {}, &GroupsOfPlace::ownIdentity);
        return found != m_before.end() && found->ownIdentity == identity
            ? static_cast<std::uint32_t>(found - m_before.begin())
            : kNone;
    }

    /// Finds a partner in the run before for a place of the run after whose own identity the run before
    /// lacks. Starts with the place that has the matched identity. If an unmoved line of the run after
    /// occupies it, the search goes on from that line's matched identity. Two searches never end at the same
    /// place, because no two lines are matched with one line. Returns false, and changes nothing, if no
    /// partner is free.
    bool tryPairMovedPlace(std::uint32_t after)
    {
        std::uint32_t place = findPlaceBefore(m_after[after].matchedIdentity);
        while (place != kNone && m_partner[place] != kNone) {
            const GroupsOfPlace& occupant = m_after[m_partner[place]];
            if (occupant.ownIdentity != m_before[place].ownIdentity
                || occupant.matchedIdentity == occupant.ownIdentity)
                return false;
            place = findPlaceBefore(occupant.matchedIdentity);
        }
        if (place != kNone)
            m_partner[place] = after;
        return place != kNone;
    }

    /// Makes the rows, ordered by identity in the run before. `unpaired` are the places of the run after that
    /// have no partner in the run before.
    std::vector<RowGroups> makeRows(const std::vector<std::uint32_t>& unpaired) const
    {
        struct PlacePair
        {
            const GroupIdentity* identity;
            std::uint32_t before;
            std::uint32_t after;
        };
        std::vector<PlacePair> pairs;
        pairs.reserve(m_before.size() + unpaired.size());
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            pairs.push_back({&m_before[i].ownIdentity, i, m_partner[i]});
        for (const std::uint32_t i : unpaired)
            pairs.push_back({&m_after[i].matchedIdentity, kNone, i});
        std::ranges::stable_sort(
            pairs, [](const PlacePair& a, const PlacePair& b) { return *a.identity < *b.identity; });
        std::vector<RowGroups> rows(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (pairs[i].before != kNone)
                rows[i].before = m_before[pairs[i].before].groups;
            if (pairs[i].after != kNone)
                rows[i].after = m_after[pairs[i].after].groups;
        }
        return rows;
    }

    const std::vector<GroupsOfPlace>& m_before;
    const std::vector<GroupsOfPlace>& m_after;
    std::vector<std::uint32_t>
        m_partner; ///< place of the run after, by place of the run before; kNone if none
};

} // namespace

SideGroups sideGroups(const DiffInput& input, GroupKey key)
{
    SideGroups side;
    side.grouped
        = groupAllocations(input.trace, input.allocations, input.sites, input.live, key, input.categories);
    side.bytesOfEach.assign(side.grouped.composition.groups.size(), 0);
    for (std::size_t i = 0; i < input.live.size(); ++i) {
        Bytes& common = side.bytesOfEach[side.grouped.groupOf[i]];
        const Bytes bytes = input.allocations.bytes(input.live[i]);
        common = common == 0 || common == bytes ? bytes : -1;
    }
    return side;
}

MatchedGroups matchGroups(const DiffInput& before, const SideGroups& beforeGroups, const DiffInput& after,
    const SideGroups& afterGroups, GroupKey key, const StackClasses& classes)
{
    PlaceTable placesBefore = placesOf(before, beforeGroups, key, classes.before);
    PlaceTable placesAfter = placesOf(after, afterGroups, key, classes.after);
    std::vector<RowGroups> rows = PlaceMatcher(placesBefore.places, placesAfter.places).match();
    return {std::move(rows), std::move(placesBefore.groups), std::move(placesAfter.groups)};
}

} // namespace highwater
