#include "core/analysis/diff/run_diff.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/diff/file_classes.h"
#include "core/analysis/diff/group_identity.h"

namespace highwater {

namespace {

/// Pairs of stacks of one outline that are compared frame by frame; beyond, they are taken in order.
constexpr std::size_t kMostPairs = 4096;

/// The groups of one run under the identities that hold for both.
struct SideGroups
{
    GroupedAllocations grouped;
    std::vector<Bytes> each; ///< by group: the size of all of its allocations; −1: they differ
    std::map<GroupIdentity, std::vector<std::uint32_t>> groupsOf;
};

/// Identities whose texts say all: streams, pools, modules, categories.
bool isByText(GroupKey key)
{
    return key == GroupKey::Module || key == GroupKey::Category || key == GroupKey::Stream
        || key == GroupKey::Pool;
}

SideGroups groupsOf(const DiffInput& input, const StackClasses::Side& classes, GroupKey key)
{
    SideGroups side;
    side.grouped
        = groupAllocations(input.trace, input.allocations, input.sites, input.live, key, input.categories);
    const std::vector<CompositionGroup>& groups = side.grouped.composition.groups;
    side.each.assign(groups.size(), 0);
    for (std::size_t i = 0; i < input.live.size(); ++i) {
        Bytes& each = side.each[side.grouped.groupOf[i]];
        const Bytes bytes = input.allocations.bytes(input.live[i]);
        each = each == 0 || each == bytes ? bytes : -1;
    }
    for (std::uint32_t group = 0; group < groups.size(); ++group)
        side.groupsOf[isByText(key) ? GroupIdentity{0, groups[group].key}
                                    : identityOf(input, classes, groups[group].example, key)]
            .push_back(group);
    return side;
}

/// One row in the making: groups of both runs.
struct RowGroups
{
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
    bool loose = false;
};

/// How many frames two stacks share, counted from both ends.
std::size_t sharedFrames(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b)
{
    const auto [inner, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto [outer, rest] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    const auto shared = static_cast<std::size_t>((inner - a.begin()) + (outer - a.rbegin()));
    return std::min({shared, a.size(), b.size()});
}

class LooseMatcher
{
public:
    LooseMatcher(const DiffInput& before, const DiffInput& after, const StackClasses& classes,
        SideGroups& beforeGroups, SideGroups& afterGroups, std::vector<RowGroups>& rows)
        : m_before(before)
        , m_after(after)
        , m_classes(classes)
        , m_beforeGroups(beforeGroups)
        , m_afterGroups(afterGroups)
        , m_rows(rows)
    {
    }

    /// Joins rows that stand on one side only.
    void run()
    {
        std::map<GroupIdentity, RowGroups> buckets; // rows, not groups
        for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
            if (m_rows[row].after.empty())
                buckets[outlineOfBefore(row)].before.push_back(row);
            else if (m_rows[row].before.empty())
                buckets[outlineOfAfter(row)].after.push_back(row);
        }
        for (auto& [outline, rows] : buckets)
            if (!rows.before.empty() && !rows.after.empty())
                join(rows);
        std::erase_if(m_rows, [](const RowGroups& row) { return row.before.empty() && row.after.empty(); });
    }

private:
    struct Candidate
    {
        std::size_t shared = 0;
        std::uint32_t before = 0;
        std::uint32_t after = 0;
    };

    AllocationIndex exampleBefore(std::uint32_t row) const
    {
        return m_beforeGroups.grouped.composition.groups[m_rows[row].before.front()].example;
    }
    AllocationIndex exampleAfter(std::uint32_t row) const
    {
        return m_afterGroups.grouped.composition.groups[m_rows[row].after.front()].example;
    }
    GroupIdentity outlineOfBefore(std::uint32_t row) const
    {
        return outlineOf(m_before, m_classes.before, exampleBefore(row));
    }
    GroupIdentity outlineOfAfter(std::uint32_t row) const
    {
        return outlineOf(m_after, m_classes.after, exampleAfter(row));
    }

    static std::vector<std::uint32_t> places(
        const DiffInput& input, const StackClasses::Side& classes, AllocationIndex example)
    {
        std::vector<std::uint32_t> places;
        for (const FrameId frame : input.trace.stacks.frames(input.allocations.stack(example)))
            places.push_back(classes.place[frame.index()]);
        return places;
    }

    const std::string& keyBefore(std::uint32_t row) const
    {
        return m_beforeGroups.grouped.composition.groups[m_rows[row].before.front()].key;
    }
    const std::string& keyAfter(std::uint32_t row) const
    {
        return m_afterGroups.grouped.composition.groups[m_rows[row].after.front()].key;
    }

    std::vector<Candidate> candidatesOf(const RowGroups& rows) const
    {
        std::vector<Candidate> candidates;
        const bool few = rows.before.size() * rows.after.size() <= kMostPairs;
        for (const std::uint32_t before : rows.before)
            for (const std::uint32_t after : rows.after)
                if (few)
                    candidates.push_back(
                        {sharedFrames(places(m_before, m_classes.before, exampleBefore(before)),
                             places(m_after, m_classes.after, exampleAfter(after))),
                            before, after});
        for (std::size_t i = 0; !few && i < std::min(rows.before.size(), rows.after.size()); ++i)
            candidates.push_back({0, rows.before[i], rows.after[i]});
        const auto rank = [this](const Candidate& c) {
            const auto keys = std::minmax(keyBefore(c.before), keyAfter(c.after));
            return std::tuple(-static_cast<std::int64_t>(c.shared), std::string_view(keys.first),
                std::string_view(keys.second), keyBefore(c.before));
        };
        std::stable_sort(candidates.begin(), candidates.end(),
            [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
        return candidates;
    }

    void join(const RowGroups& rows)
    {
        for (const Candidate& candidate : candidatesOf(rows)) {
            RowGroups& before = m_rows[candidate.before];
            RowGroups& after = m_rows[candidate.after];
            if (!before.after.empty() || before.before.empty() || after.after.empty()
                || !after.before.empty())
                continue;
            before.after = after.after;
            before.loose = true;
            after.after.clear();
        }
    }

    const DiffInput& m_before;
    const DiffInput& m_after;
    const StackClasses& m_classes;
    SideGroups& m_beforeGroups;
    SideGroups& m_afterGroups;
    std::vector<RowGroups>& m_rows;
};

std::vector<RowGroups> matchEqual(const SideGroups& before, const SideGroups& after)
{
    std::map<GroupIdentity, RowGroups> rows;
    for (const auto& [identity, groups] : before.groupsOf)
        rows[identity].before = groups;
    for (const auto& [identity, groups] : after.groupsOf)
        rows[identity].after = groups;
    std::vector<RowGroups> list;
    for (auto& [identity, row] : rows)
        list.push_back(std::move(row));
    return list;
}

DiffAmount amountOf(const SideGroups& side, const std::vector<std::uint32_t>& groups)
{
    DiffAmount amount;
    for (const std::uint32_t group : groups) {
        const Bytes each = side.each[group];
        amount.eachBytes = amount.count == 0 || amount.eachBytes == each ? each : -1;
        amount.bytes += side.grouped.composition.groups[group].bytes;
        amount.count += side.grouped.composition.groups[group].count;
    }
    return amount;
}

/// Of several groups the largest, which stands first.
std::string keyOf(const SideGroups& side, const std::vector<std::uint32_t>& groups)
{
    return groups.empty()
        ? std::string()
        : side.grouped.composition.groups[*std::min_element(groups.begin(), groups.end())].key;
}

DiffRow finishRow(const RowGroups& row, const SideGroups& before, const SideGroups& after)
{
    DiffRow finished;
    finished.before = amountOf(before, row.before);
    finished.after = amountOf(after, row.after);
    finished.loose = row.loose;
    finished.key = keyOf(after, row.after);
    finished.beforeKey = keyOf(before, row.before);
    if (finished.key.empty())
        std::swap(finished.key, finished.beforeKey);
    if (finished.key == finished.beforeKey)
        finished.beforeKey.clear();
    return finished;
}

std::vector<std::uint32_t> orderOf(const std::vector<DiffRow>& rows)
{
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const DiffRow& left = rows[a];
        const DiffRow& right = rows[b];
        const auto sizes = [](const DiffRow& row) {
            return std::pair(-std::abs(row.delta()), -std::max(row.before.bytes, row.after.bytes));
        };
        return sizes(left) != sizes(right) ? sizes(left) < sizes(right) : left.key < right.key;
    });
    return order;
}

DiffSide finishSide(const SideGroups& side, const std::vector<std::uint32_t>& rowOfGroup)
{
    DiffSide finished;
    finished.bytes = side.grouped.composition.bytes;
    finished.blocks = side.grouped.composition.blocks;
    for (const std::uint32_t group : side.grouped.groupOf)
        finished.rowOf.push_back(rowOfGroup[group]);
    return finished;
}

RunDiff finish(const std::vector<RowGroups>& rows, const SideGroups& before, const SideGroups& after)
{
    std::vector<DiffRow> finished;
    for (const RowGroups& row : rows)
        finished.push_back(finishRow(row, before, after));
    RunDiff diff;
    std::vector<std::uint32_t> beforeRow(before.each.size());
    std::vector<std::uint32_t> afterRow(after.each.size());
    for (const std::uint32_t row : orderOf(finished)) {
        const auto place = static_cast<std::uint32_t>(diff.rows.size());
        for (const std::uint32_t group : rows[row].before)
            beforeRow[group] = place;
        for (const std::uint32_t group : rows[row].after)
            afterRow[group] = place;
        diff.rows.push_back(std::move(finished[row]));
    }
    diff.before = finishSide(before, beforeRow);
    diff.after = finishSide(after, afterRow);
    return diff;
}

/// Of a line "function (file:line)" or "function (file.py)"; empty: it is no Python frame.
std::string_view fileOf(std::string_view line)
{
    const std::size_t begin = line.rfind(" (");
    if (begin == std::string_view::npos || line.back() != ')')
        return {};
    const std::string_view place = line.substr(begin + 2, line.size() - begin - 3);
    const std::size_t digits = place.find_last_not_of("0123456789");
    if (digits != std::string_view::npos && digits + 1 < place.size() && place[digits] == ':')
        return place.substr(0, digits);
    return place.ends_with(".py") ? place : std::string_view();
}

} // namespace

std::string_view toText(DiffStatus status)
{
    static constexpr std::array<std::string_view, 5> names = {"same", "grew", "shrank", "new", "gone"};
    return names[static_cast<std::size_t>(status)];
}

DiffStatus DiffRow::status() const
{
    if (before.count == 0 && after.count > 0)
        return DiffStatus::New;
    if (after.count == 0 && before.count > 0)
        return DiffStatus::Gone;
    return delta() == 0 ? DiffStatus::Same : delta() > 0 ? DiffStatus::Grew : DiffStatus::Shrank;
}

std::optional<double> DiffRow::sizeRatio() const
{
    if (before.eachBytes <= 0 || after.eachBytes <= 0)
        return std::nullopt;
    return static_cast<double>(after.eachBytes) / static_cast<double>(before.eachBytes);
}

std::string shortKey(const std::string& key)
{
    std::string spelled;
    std::string node;
    for (std::string_view rest = key; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::string_view file = fileOf(line);
        const bool isUsers = !file.empty() && !isLibraryFile(file);
        if (isUsers && !isSpellingFile(file))
            return std::string(line);
        if (isUsers && spelled.empty())
            spelled = line;
        if (node.empty() && !autogradNodeOf(line).empty())
            node = fmt::format("backward · {}", autogradNodeOf(line));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return !spelled.empty() ? spelled : !node.empty() ? node : key.substr(0, key.find('\n'));
}

bool isComparable(GroupKey key)
{
    return key != GroupKey::Allocation;
}

RunDiff diffRuns(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes)
{
    SideGroups beforeGroups = groupsOf(before, classes.before, key);
    SideGroups afterGroups = groupsOf(after, classes.after, key);
    std::vector<RowGroups> rows = matchEqual(beforeGroups, afterGroups);
    if (key == GroupKey::Stack)
        LooseMatcher(before, after, classes, beforeGroups, afterGroups, rows).run();
    RunDiff diff = finish(rows, beforeGroups, afterGroups);
    diff.quantity = after.allocations.quantity();
    return diff;
}

} // namespace highwater
