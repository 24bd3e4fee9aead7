#include "core/analysis/diff/line_classes.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace highwater {

namespace {

using LinePair = std::pair<std::uint32_t, std::uint32_t>;
using LinePairs = std::vector<LinePair>;

/// Lines of one function beyond these are not looked at for distances: generated code.
constexpr std::size_t kMostLinesOfAFunction = 200;

class LineMatcher
{
public:
    LineMatcher(const std::vector<SourceLine>& before, const std::vector<SourceLine>& after)
        : m_before(before)
        , m_after(after)
        , m_pairOfBefore(before.size(), kNone)
        , m_pairOfAfter(after.size(), kNone)
    {
    }

    LinePairs run()
    {
        collectDistances();
        while (!m_distances.empty()) {
            const std::int32_t best = bestDistance();
            if (take(best) == 0)
                m_distances.erase(best);
        }
        LinePairs pairs;
        for (std::uint32_t i = 0; i < m_pairOfBefore.size(); ++i)
            if (m_pairOfBefore[i] != kNone)
                pairs.emplace_back(i, m_pairOfBefore[i]);
        return pairs;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    void collectDistances()
    {
        std::map<std::uint32_t, LinesOfFunction> functions;
        for (std::uint32_t i = 0; i < m_before.size(); ++i)
            functions[m_before[i].function].before.push_back(i);
        for (std::uint32_t i = 0; i < m_after.size(); ++i)
            functions[m_after[i].function].after.push_back(i);
        for (const auto& [function, lines] : functions) {
            if (lines.before.size() > kMostLinesOfAFunction || lines.after.size() > kMostLinesOfAFunction)
                continue;
            for (const std::uint32_t i : lines.before)
                for (const std::uint32_t j : lines.after)
                    m_distances[m_after[j].line - m_before[i].line].emplace_back(i, j);
        }
    }

    /// The pairs of a distance that can still be made: both lines free, and no pair crossed.
    std::size_t countFree(const LinePairs& pairs) const
    {
        return static_cast<std::size_t>(
            std::count_if(pairs.begin(), pairs.end(), [this](const LinePair& pair) { return isFree(pair); }));
    }

    bool isFree(const LinePair& pair) const
    {
        if (m_pairOfBefore[pair.first] != kNone || m_pairOfAfter[pair.second] != kNone)
            return false;
        for (std::uint32_t i = pair.first; i-- > 0;)
            if (m_pairOfBefore[i] != kNone) {
                if (m_pairOfBefore[i] > pair.second)
                    return false;
                break;
            }
        for (std::uint32_t i = pair.first + 1; i < m_pairOfBefore.size(); ++i)
            if (m_pairOfBefore[i] != kNone)
                return m_pairOfBefore[i] > pair.second;
        return true;
    }

    std::int32_t bestDistance() const
    {
        std::int32_t best = m_distances.begin()->first;
        std::size_t most = 0;
        for (const auto& [distance, pairs] : m_distances) {
            const std::size_t free = pairs.size() < most ? 0 : countFree(pairs);
            const bool shorter = std::abs(distance) < std::abs(best);
            if (free > most || (free == most && shorter)) {
                best = distance;
                most = free;
            }
        }
        return best;
    }

    /// Pairs of one distance never cross each other.
    std::size_t take(std::int32_t distance)
    {
        std::size_t taken = 0;
        for (const LinePair& pair : m_distances[distance])
            if (isFree(pair)) {
                m_pairOfBefore[pair.first] = pair.second;
                m_pairOfAfter[pair.second] = pair.first;
                ++taken;
            }
        return taken;
    }

    struct LinesOfFunction
    {
        std::vector<std::uint32_t> before;
        std::vector<std::uint32_t> after;
    };

    const std::vector<SourceLine>& m_before;
    const std::vector<SourceLine>& m_after;
    std::map<std::int32_t, LinePairs> m_distances;
    std::vector<std::uint32_t> m_pairOfBefore;
    std::vector<std::uint32_t> m_pairOfAfter;
};

} // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> matchLines(
    const std::vector<SourceLine>& before, const std::vector<SourceLine>& after)
{
    // Of two distances that differ in sign alone one has to go first: which one must not depend on which run
    // is called the one before.
    if (!(after < before))
        return LineMatcher(before, after).run();
    LinePairs pairs = LineMatcher(after, before).run();
    for (LinePair& pair : pairs)
        std::swap(pair.first, pair.second);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace highwater
