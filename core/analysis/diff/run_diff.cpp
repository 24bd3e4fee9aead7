#include "core/analysis/diff/run_diff.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include "core/analysis/diff/group_identity.h"
#include "core/analysis/diff/matching/code_paths.h"
#include "core/analysis/diff/row_groups.h"

namespace highwater {

namespace {

/// Limit on the pairs of stacks of one outline that are compared frame by frame. If there are more, they are
/// paired in order of their keys.
constexpr std::size_t kMaxStackPairs = 4096;

/// Returns how many frames two stacks share, counted from both ends.
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
        const SideGroups& beforeGroups, const SideGroups& afterGroups, MatchedGroups& groups)
        : m_before(before)
        , m_after(after)
        , m_classes(classes)
        , m_beforeGroups(beforeGroups)
        , m_afterGroups(afterGroups)
        , m_groups(groups)
        , m_rows(groups.rows)
    {
    }

    /// Joins rows of the run before with rows of the run after that have the same outline, if both are
    /// one-sided.
    void joinOneSidedRows()
    {
        std::map<StackOutline, OneSided> buckets;
        for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
            if (m_rows[row].after.isEmpty())
                buckets[outlineOfBefore(row)].before.push_back(row);
            else if (m_rows[row].before.isEmpty())
                buckets[outlineOfAfter(row)].after.push_back(row);
        }
        for (auto& [outline, rows] : buckets)
            if (!rows.before.empty() && !rows.after.empty())
                joinPairs(rows);
        std::erase_if(
            m_rows, [](const RowGroups& row) { return row.before.isEmpty() && row.after.isEmpty(); });
    }

private:
    /// The one-sided rows of one outline.
    struct OneSided
    {
        std::vector<std::uint32_t> before;
        std::vector<std::uint32_t> after;
    };
    struct Candidate
    {
        std::size_t shared = 0;
        std::uint32_t before = 0;
        std::uint32_t after = 0;
    };

    AllocationIndex exampleBefore(std::uint32_t row) const
    {
        return m_beforeGroups.group(m_groups.beforeOf(m_rows[row]).front()).example;
    }
    AllocationIndex exampleAfter(std::uint32_t row) const
    {
        return m_afterGroups.group(m_groups.afterOf(m_rows[row]).front()).example;
    }
    StackOutline outlineOfBefore(std::uint32_t row) const
    {
        return outlineOf(m_before, m_classes.before, exampleBefore(row));
    }
    StackOutline outlineOfAfter(std::uint32_t row) const
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
        return m_beforeGroups.group(m_groups.beforeOf(m_rows[row]).front()).key;
    }
    const std::string& keyAfter(std::uint32_t row) const
    {
        return m_afterGroups.group(m_groups.afterOf(m_rows[row]).front()).key;
    }

    /// Pairs the i-th row of one side with the i-th row of the other, both ordered by key.
    std::vector<Candidate> candidatesInOrder(OneSided rows) const
    {
        std::ranges::sort(
            rows.before, [this](std::uint32_t a, std::uint32_t b) { return keyBefore(a) < keyBefore(b); });
        std::ranges::sort(
            rows.after, [this](std::uint32_t a, std::uint32_t b) { return keyAfter(a) < keyAfter(b); });
        std::vector<Candidate> candidates;
        for (std::size_t i = 0; i < std::min(rows.before.size(), rows.after.size()); ++i)
            candidates.push_back({0, rows.before[i], rows.after[i]});
        return candidates;
    }

    /// Returns the pairs of one-sided rows, those that share most frames first.
    std::vector<Candidate> candidatesOf(const OneSided& rows) const
    {
        if (rows.before.size() * rows.after.size() > kMaxStackPairs)
            return candidatesInOrder(rows);
        std::vector<Candidate> candidates;
        for (const std::uint32_t before : rows.before)
            for (const std::uint32_t after : rows.after)
                candidates.push_back({sharedFrames(places(m_before, m_classes.before, exampleBefore(before)),
                                          places(m_after, m_classes.after, exampleAfter(after))),
                    before, after});
        const auto rank = [this](const Candidate& candidate) {
            const auto keys = std::minmax(keyBefore(candidate.before), keyAfter(candidate.after));
            return std::tuple(-static_cast<std::int64_t>(candidate.shared), std::string_view(keys.first),
                std::string_view(keys.second), std::string_view(keyBefore(candidate.before)));
        };
        std::ranges::stable_sort(
            candidates, [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
        return candidates;
    }

    /// Moves the groups of each paired row after to its partner, and leaves the row after empty.
    void joinPairs(const OneSided& rows)
    {
        for (const Candidate& candidate : candidatesOf(rows)) {
            RowGroups& before = m_rows[candidate.before];
            RowGroups& after = m_rows[candidate.after];
            if (!before.after.isEmpty() || before.before.isEmpty() || after.after.isEmpty()
                || !after.before.isEmpty())
                continue;
            before.after = after.after;
            before.isLoose = true;
            after.after = {};
        }
    }

    const DiffInput& m_before;
    const DiffInput& m_after;
    const StackClasses& m_classes;
    const SideGroups& m_beforeGroups;
    const SideGroups& m_afterGroups;
    const MatchedGroups& m_groups;
    std::vector<RowGroups>& m_rows;
};

DiffAmount amountOf(const SideGroups& side, std::span<const std::uint32_t> groups)
{
    DiffAmount amount;
    for (const std::uint32_t group : groups) {
        const Bytes each = side.bytesOfEach[group];
        amount.bytesOfEach = amount.count == 0 || amount.bytesOfEach == each ? each : -1;
        amount.bytes += side.group(group).bytes;
        amount.count += side.group(group).count;
    }
    return amount;
}

/// Returns the key of the largest group, which has the lowest number. Moves it out of the group, because keys
/// of stacks are long.
std::string takeKey(SideGroups& side, std::span<const std::uint32_t> groups)
{
    return groups.empty() ? std::string()
                          : std::move(side.grouped.composition.groups[*std::ranges::min_element(groups)].key);
}

/// Makes a row and moves its keys out of the groups.
DiffRow finishRow(const MatchedGroups& groups, const RowGroups& row, SideGroups& before, SideGroups& after)
{
    DiffRow finished;
    finished.before = amountOf(before, groups.beforeOf(row));
    finished.after = amountOf(after, groups.afterOf(row));
    finished.isLoose = row.isLoose;
    finished.key = takeKey(after, groups.afterOf(row));
    finished.beforeKey = takeKey(before, groups.beforeOf(row));
    if (finished.key.empty())
        std::swap(finished.key, finished.beforeKey);
    if (finished.key == finished.beforeKey)
        finished.beforeKey = {};
    return finished;
}

/// Returns the indices of the rows in the order of `RunDiff::rows`.
std::vector<std::uint32_t> orderOfRows(const std::vector<DiffRow>& rows)
{
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const DiffRow& left = rows[a];
        const DiffRow& right = rows[b];
        const auto sizes = [](const DiffRow& row) {
            return std::pair(-std::abs(row.delta()), -std::max(row.before.bytes, row.after.bytes));
        };
        return sizes(left) != sizes(right) ? sizes(left) < sizes(right) : left.key < right.key;
    });
    return order;
}

/// Makes the keys of rows unique. Stacks that differ only in C++ frames have equal texts and are numbered in
/// each run separately, so rows of different runs may have equal keys.
void numberEqualKeys(std::vector<DiffRow>& rows)
{
    tsl::robin_set<std::string_view> usedKeys; // keys that rows keep
    std::vector<DiffRow*> repeated;
    for (DiffRow& row : rows)
        if (!usedKeys.insert(row.key).second)
            repeated.push_back(&row);
    std::map<std::string, int> lastNumber; // last number used for each text
    for (DiffRow* row : repeated) {
        const std::string originalKey = std::move(row->key);
        const std::string text(withoutVariant(originalKey));
        int& number = lastNumber.try_emplace(text, 1).first->second;
        do
            row->key = variantKey(text, ++number);
        while (usedKeys.contains(row->key));
        usedKeys.insert(row->key);
        if (row->before.count > 0 && row->after.count > 0 && row->beforeKey.empty())
            row->beforeKey = originalKey;
    }
}

/// Moves row `order[i]` to position i, in place, without a second table of rows.
void permuteRows(std::vector<DiffRow>& rows, std::vector<std::uint32_t> order)
{
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        DiffRow displaced = std::move(rows[first]);
        std::uint32_t place = first;
        for (std::uint32_t source = order[place]; source != first; source = order[place]) {
            rows[place] = std::move(rows[source]);
            order[place] = place;
            place = source;
        }
        rows[place] = std::move(displaced);
        order[place] = place;
    }
}

/// Makes the side of a finished comparison. Moves the group numbers of the blocks out of `side`.
DiffSide finishSide(SideGroups& side, const std::vector<std::uint32_t>& rowOfGroup)
{
    DiffSide finished;
    finished.bytes = side.grouped.composition.bytes;
    finished.count = side.grouped.composition.count;
    finished.rowOf = std::move(side.grouped.groupOf);
    for (std::uint32_t& row : finished.rowOf)
        row = rowOfGroup[row];
    return finished;
}

/// Makes the comparison from its groups. Moves the keys and group numbers out of `before` and `after`.
RunDiff makeDiff(const MatchedGroups& groups, SideGroups& before, SideGroups& after)
{
    std::vector<DiffRow> finished;
    finished.reserve(groups.rows.size());
    for (const RowGroups& row : groups.rows)
        finished.push_back(finishRow(groups, row, before, after));
    RunDiff diff;
    std::vector<std::uint32_t> beforeRow(before.bytesOfEach.size());
    std::vector<std::uint32_t> afterRow(after.bytesOfEach.size());
    std::vector<std::uint32_t> order = orderOfRows(finished);
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        const std::uint32_t row = order[place];
        for (const std::uint32_t group : groups.beforeOf(groups.rows[row]))
            beforeRow[group] = place;
        for (const std::uint32_t group : groups.afterOf(groups.rows[row]))
            afterRow[group] = place;
    }
    permuteRows(finished, std::move(order));
    diff.rows = std::move(finished);
    diff.before = finishSide(before, beforeRow);
    diff.after = finishSide(after, afterRow);
    return diff;
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
    if (before.bytesOfEach <= 0 || after.bytesOfEach <= 0)
        return std::nullopt;
    return static_cast<double>(after.bytesOfEach) / static_cast<double>(before.bytesOfEach);
}

std::string_view fileOfKeyLine(std::string_view line)
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

std::string shortKey(const std::string& key)
{
    std::string wrapperLine;
    std::string autogradLine;
    for (std::string_view rest = key; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::string_view file = fileOfKeyLine(line);
        const bool isUserLine = !file.empty() && !isLibraryFile(file);
        if (isUserLine && !isOperatorWrapperFile(file))
            return std::string(line);
        if (isUserLine && wrapperLine.empty())
            wrapperLine = line;
        if (autogradLine.empty() && !autogradNode(line).empty())
            autogradLine = fmt::format("backward · {}", autogradNode(line));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return !wrapperLine.empty() ? wrapperLine
        : !autogradLine.empty() ? autogradLine
                                : key.substr(0, key.find('\n'));
}

bool isComparable(GroupKey key)
{
    return key != GroupKey::Allocation;
}

RunDiff diffRuns(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes)
{
    SideGroups beforeGroups = sideGroups(before, key);
    SideGroups afterGroups = sideGroups(after, key);
    MatchedGroups groups = matchGroups(before, beforeGroups, after, afterGroups, key, classes);
    if (key == GroupKey::Stack)
        LooseMatcher(before, after, classes, beforeGroups, afterGroups, groups).joinOneSidedRows();
    RunDiff diff = makeDiff(groups, beforeGroups, afterGroups);
    numberEqualKeys(diff.rows);
    diff.quantity = after.allocations.quantity();
    return diff;
}

} // namespace highwater
