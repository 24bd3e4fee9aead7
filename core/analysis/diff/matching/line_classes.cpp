#include "core/analysis/diff/matching/line_classes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <span>

namespace highwater {

namespace {

using LinePair = std::pair<std::uint32_t, std::uint32_t>;
using LinePairs = std::vector<LinePair>;

/// Limit on the examined pairs of lines of one file, enough for a function of 2,048 lines in both runs.
constexpr std::size_t kMaxLinePairs = std::size_t{1} << 22;
/// Lines farther apart are not treated as one line.
constexpr std::int64_t kFarthestDistance = 1 << 17;

/// The properties that must be equal for two lines to be matched.
enum class Likeness : std::uint8_t
{
    FunctionAndCalls,
    Function,
};

/// The lines of one function, as positions in the two lists. With `Likeness::FunctionAndCalls`, only those
/// with the same calls.
struct FunctionLines
{
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;

    std::size_t pairCount() const { return before.size() * after.size(); }
};

/// All pairs of similar lines, grouped by their distance.
class PairsByDistance
{
public:
    PairsByDistance(
        const std::vector<SourceLine>& before, const std::vector<SourceLine>& after, Likeness likeness)
        : m_before(before)
        , m_after(after)
        , m_likeness(likeness)
    {
        const std::vector<FunctionLines> functions = commonFunctions();
        if (functions.empty())
            return;
        const auto span = [](const std::vector<SourceLine>& lines) {
            return std::pair<std::int64_t, std::int64_t>(lines.front().line, lines.back().line);
        };
        m_leastDistance
            = std::clamp(span(after).first - span(before).second, -kFarthestDistance, std::int64_t{0});
        const std::int64_t most
            = std::clamp(span(after).second - span(before).first, std::int64_t{0}, kFarthestDistance);
        m_count.assign(static_cast<std::size_t>(most - m_leastDistance) + 1, 0);
        forEachPair(functions, [this](std::size_t slot, const LinePair&) { ++m_count[slot]; });
        m_begin.resize(m_count.size());
        std::exclusive_scan(m_count.begin(), m_count.end(), m_begin.begin(), 0u);
        m_pairs.resize(m_begin.back() + m_count.back());
        std::ranges::fill(m_count, 0u);
        forEachPair(functions, [this](std::size_t slot, const LinePair& pair) {
            m_pairs[m_begin[slot] + m_count[slot]++] = pair;
        });
    }

    std::size_t slotCount() const { return m_count.size(); }
    std::int64_t distance(std::size_t slot) const
    {
        return m_leastDistance + static_cast<std::int64_t>(slot);
    }
    std::size_t count(std::size_t slot) const { return m_count[slot]; }
    std::span<const LinePair> pairs(std::size_t slot) const
    {
        return {m_pairs.data() + m_begin[slot], m_count[slot]};
    }
    /// Removes the pairs of one distance that fail the predicate; returns how many remain.
    template <typename Predicate>
    std::size_t keepIf(std::size_t slot, Predicate predicate)
    {
        const auto first = m_pairs.begin() + m_begin[slot];
        const auto last = std::remove_if(
            first, first + m_count[slot], [&](const LinePair& pair) { return !predicate(pair); });
        m_count[slot] = static_cast<std::uint32_t>(last - first);
        return m_count[slot];
    }

private:
    /// Returns the functions in both lists, those with fewest pairs first.
    std::vector<FunctionLines> commonFunctions() const
    {
        const auto key = [this](const SourceLine& line) {
            return std::pair(line.function, m_likeness == Likeness::Function ? 0 : line.calls);
        };
        std::map<std::pair<std::uint32_t, std::uint64_t>, FunctionLines> all;
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            all[key(m_before[i])].before.push_back(i);
        for (std::uint32_t i = 0; i < m_after.size(); ++i)
            if (const auto found = all.find(key(m_after[i])); found != all.end())
                found->second.after.push_back(i);
        std::vector<FunctionLines> common;
        for (auto& [likeness, lines] : all)
            if (lines.pairCount() > 0)
                common.push_back(std::move(lines));
        std::ranges::stable_sort(common, {}, &FunctionLines::pairCount);
        return common;
    }

    template <typename Use>
    void forEachPair(const std::vector<FunctionLines>& functions, Use use) const
    {
        std::size_t budget = kMaxLinePairs;
        for (const FunctionLines& function : functions) {
            const bool fits = function.pairCount() <= budget;
            budget -= fits ? function.pairCount() : 0;
            if (fits)
                forEachLinePair(function, use);
            else
                forEachUnmovedLine(function, use);
        }
    }

    template <typename Use>
    void forEachLinePair(const FunctionLines& function, Use use) const
    {
        for (const std::uint32_t i : function.before)
            for (const std::uint32_t j : function.after) {
                const std::int64_t distance = std::int64_t{m_after[j].line} - m_before[i].line;
                if (std::abs(distance) <= kFarthestDistance)
                    use(static_cast<std::size_t>(distance - m_leastDistance), LinePair(i, j));
            }
    }

    /// Calls `use` for lines that have not moved.
    template <typename Use>
    void forEachUnmovedLine(const FunctionLines& function, Use use) const
    {
        auto other = function.after.begin();
        for (const std::uint32_t i : function.before) {
            while (other != function.after.end() && m_after[*other].line < m_before[i].line)
                ++other;
            if (other != function.after.end() && m_after[*other].line == m_before[i].line)
                use(static_cast<std::size_t>(-m_leastDistance), LinePair(i, *other));
        }
    }

    const std::vector<SourceLine>& m_before;
    const std::vector<SourceLine>& m_after;
    Likeness m_likeness;
    std::int64_t m_leastDistance = 0;
    std::vector<std::uint32_t> m_begin; ///< start of each distance's pairs in m_pairs
    std::vector<std::uint32_t> m_count;
    LinePairs m_pairs;
};

/// The matched pairs. They keep the order of the lines, so each new pair falls into a gap between two others
/// and splits that gap.
class OrderedPairs
{
public:
    OrderedPairs(std::size_t before, std::size_t after)
        : m_gaps{{0, 0, 0, 0}, {0, static_cast<std::uint32_t>(before), 0, static_cast<std::uint32_t>(after)}}
        , m_gapOf(before, 1)
        , m_partner(before, kNone)
    {
    }

    /// True if neither line has a partner yet and the pair would cross no other. O(1).
    bool isFree(const LinePair& pair) const
    {
        const Gap& gap = m_gaps[m_gapOf[pair.first]];
        return gap.afterBegin <= pair.second && pair.second < gap.afterEnd;
    }

    /// Adds a pair, which must be free. O(lines of the smaller part of its gap), O(n log n) for all pairs.
    void addPair(const LinePair& pair)
    {
        const std::uint32_t gapNumber = m_gapOf[pair.first];
        const Gap gap = m_gaps[gapNumber];
        const Gap above{gap.begin, pair.first, gap.afterBegin, pair.second};
        const Gap below{pair.first + 1, gap.end, pair.second + 1, gap.afterEnd};
        const bool movesAbove = above.end - above.begin < below.end - below.begin;
        const Gap& moved = movesAbove ? above : below;
        m_gaps[gapNumber] = movesAbove ? below : above;
        std::fill(m_gapOf.begin() + moved.begin, m_gapOf.begin() + moved.end,
            static_cast<std::uint32_t>(m_gaps.size()));
        m_gaps.push_back(moved);
        m_gapOf[pair.first] = kClosed;
        m_partner[pair.first] = pair.second;
    }

    LinePairs sortedPairs() const
    {
        LinePairs pairs;
        for (std::uint32_t i = 0; i < m_partner.size(); ++i)
            if (m_partner[i] != kNone)
                pairs.emplace_back(i, m_partner[i]);
        return pairs;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    static constexpr std::uint32_t kClosed = 0; ///< the empty gap, for lines that are already matched

    /// Ranges of lines in both lists that may still be paired with each other.
    struct Gap
    {
        std::uint32_t begin;
        std::uint32_t end;
        std::uint32_t afterBegin;
        std::uint32_t afterEnd;
    };

    std::vector<Gap> m_gaps;
    std::vector<std::uint32_t> m_gapOf; ///< by line before
    std::vector<std::uint32_t> m_partner; ///< by line before
};

/// Repeatedly takes the distance with most free pairs. The number of free pairs of a distance only falls, so
/// its last count is an upper bound.
class LineMatcher
{
public:
    LineMatcher(const std::vector<SourceLine>& before, const std::vector<SourceLine>& after,
        Likeness likeness, OrderedPairs& matched)
        : m_byDistance(before, after, likeness)
        , m_matched(matched)
    {
    }

    void match()
    {
        std::size_t most = 0;
        for (std::size_t slot = 0; slot < m_byDistance.slotCount(); ++slot)
            most = std::max(most, m_byDistance.count(slot));
        m_levels.resize(most + 1);
        for (std::size_t slot = 0; slot < m_byDistance.slotCount(); ++slot)
            m_levels[m_byDistance.count(slot)].push_back(slot);
        for (std::size_t count = most; count > 0; --count)
            takeLevel(count);
    }

private:
    /// Takes the distances that still have `count` free pairs; others move to the level of their current
    /// count.
    void takeLevel(std::size_t count)
    {
        std::vector<std::size_t> level = std::move(m_levels[count]);
        std::erase_if(level, [&](std::size_t slot) { return !stillHas(slot, count); });
        std::ranges::sort(level, [this](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
        for (const std::size_t slot : level)
            if (stillHas(slot, count))
                for (const LinePair& pair : m_byDistance.pairs(slot))
                    m_matched.addPair(pair);
    }

    bool stillHas(std::size_t slot, std::size_t count)
    {
        const std::size_t free
            = m_byDistance.keepIf(slot, [this](const LinePair& pair) { return m_matched.isFree(pair); });
        if (free != count)
            m_levels[free].push_back(slot);
        return free == count;
    }

    /// Orders distances, shorter ones first.
    std::pair<std::int64_t, std::int64_t> rank(std::size_t slot) const
    {
        const std::int64_t distance = m_byDistance.distance(slot);
        return {std::abs(distance), distance};
    }

    PairsByDistance m_byDistance;
    OrderedPairs& m_matched;
    std::vector<std::vector<std::size_t>> m_levels; ///< distances by their last count of pairs
};

/// Matches two different lists. A choice between two distances that differ only in sign depends on which
/// list comes first.
LinePairs matchInOrder(const std::vector<SourceLine>& before, const std::vector<SourceLine>& after)
{
    OrderedPairs matched(before.size(), after.size());
    for (const Likeness likeness : {Likeness::FunctionAndCalls, Likeness::Function})
        LineMatcher(before, after, likeness, matched).match();
    return matched.sortedPairs();
}

} // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> matchLines(
    const std::vector<SourceLine>& before, const std::vector<SourceLine>& after)
{
    LinePairs pairs;
    if (before == after) {
        for (std::uint32_t i = 0; i < before.size(); ++i)
            pairs.emplace_back(i, i);
        return pairs;
    }
    // Between two distances that differ only in sign, the choice must not depend on which run comes first.
    if (before < after)
        return matchInOrder(before, after);
    pairs = matchInOrder(after, before);
    for (LinePair& pair : pairs)
        std::swap(pair.first, pair.second);
    std::ranges::sort(pairs);
    return pairs;
}

} // namespace highwater
