#include "core/analysis/steps/period_finder.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

constexpr std::size_t kCandidates = 8; ///< number of candidates for each window width
/// One mismatch cancels this many matches, so about one element in twenty may differ.
constexpr std::int64_t kPenalty = 20;
constexpr std::size_t kShortestPeriod = 8;

/// Computes a rolling hash of each window of `width` elements. Does not store the hashes, because they would
/// take as much memory as the sequence.
class Windows
{
public:
    Windows(std::span<const std::uint64_t> sequence, std::size_t width)
        : m_sequence(sequence)
        , m_width(width)
    {
        for (std::size_t i = 0; i < width; ++i)
            m_leavingFactor *= kBase;
    }

    std::size_t size() const { return m_sequence.size() + 1 - m_width; }
    /// Calls `use` with the number of each window and its hash.
    template <typename Use>
    void forEach(Use use) const
    {
        std::uint64_t hash = 0;
        InterruptionCounter interruption;
        for (std::size_t i = 0; i < m_sequence.size(); ++i) {
            interruption.round();
            hash = hash * kBase + m_sequence[i];
            if (i >= m_width)
                hash -= m_leavingFactor * m_sequence[i - m_width];
            if (i + 1 >= m_width)
                use(i + 1 - m_width, hash ^ (hash >> 32));
        }
    }

private:
    static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ull;

    std::span<const std::uint64_t> m_sequence;
    std::size_t m_width;
    std::uint64_t m_leavingFactor = 1; ///< the base to the power of the width
};

/// Separates windows that occur once from those that may recur, with two to four bytes per window. Most wide
/// windows of an irregular sequence occur once, and so need no map entry.
class RepeatFilter
{
public:
    explicit RepeatFilter(const Windows& windows)
        : m_shift(std::countl_zero(windows.size()) - 3)
        , m_seenOnce(std::size_t{1} << (64 - m_shift))
        , m_seenAgain(m_seenOnce.size())
    {
        windows.forEach([this](std::size_t, std::uint64_t window) {
            const std::size_t at = classOf(window);
            m_seenAgain[at] = m_seenAgain[at] || m_seenOnce[at];
            m_seenOnce[at] = true;
        });
    }
    bool mayRepeat(std::uint64_t window) const { return m_seenAgain[classOf(window)]; }

private:
    std::size_t classOf(std::uint64_t window) const { return (window * 0x9E3779B97F4A7C15ull) >> m_shift; }

    int m_shift;
    std::vector<bool> m_seenOnce; ///< by hash class; at least eight times as many classes as windows
    std::vector<bool> m_seenAgain;
};

/// Returns the distances between successive equal windows, heaviest first, at most `kCandidates`. Longer
/// distances and rarer windows weigh more.
std::vector<std::size_t> candidatePeriods(const Windows& windows)
{
    struct Occurrences
    {
        std::size_t last = 0;
        std::uint32_t count = 0;
    };
    const RepeatFilter filter(windows);
    NumberMap<std::uint64_t, Occurrences> seen;
    windows.forEach([&](std::size_t, std::uint64_t window) {
        if (filter.mayRepeat(window))
            ++seen[window].count;
    });
    NumberMap<std::size_t, double> weights;
    windows.forEach([&](std::size_t i, std::uint64_t window) {
        if (!filter.mayRepeat(window))
            return;
        Occurrences& occurrences = seen[window];
        const std::size_t distance = i - occurrences.last;
        if (occurrences.last > 0 && distance >= kShortestPeriod && distance <= windows.size() / 2)
            weights[distance] += static_cast<double>(distance) / occurrences.count;
        occurrences.last = i;
    });
    std::vector<std::pair<double, std::size_t>> ranked;
    for (const auto& [distance, weight] : weights)
        ranked.emplace_back(weight, distance);
    const std::size_t candidateCount = std::min(kCandidates, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(candidateCount),
        ranked.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
    std::vector<std::size_t> periods;
    for (std::size_t i = 0; i < candidateCount; ++i)
        periods.push_back(ranked[i].second);
    return periods;
}

struct ScoredStretch
{
    PeriodicStretch stretch;
    std::int64_t score = 0;
};

/// Compares each element with the one a period before, and returns the range with the largest score (Kadane's
/// algorithm).
ScoredStretch bestStretch(std::span<const std::uint64_t> sequence, std::size_t period)
{
    ScoredStretch best;
    std::int64_t sum = 0;
    std::size_t begin = period;
    std::size_t mismatches = 0;
    InterruptionCounter interruption;
    for (std::size_t i = period; i < sequence.size(); ++i) {
        interruption.round();
        const bool isMatch = sequence[i] == sequence[i - period];
        sum += isMatch ? 1 : -kPenalty;
        mismatches += isMatch ? 0 : 1;
        if (sum <= 0) {
            sum = 0;
            begin = i + 1;
            mismatches = 0;
        } else if (sum > best.score) {
            best = {{period, begin - period, i + 1, mismatches}, sum};
        }
    }
    return best;
}

/// Returns the length that a range explains. Its first period is compared with nothing, so it is added.
std::int64_t explainedLength(const ScoredStretch& scored)
{
    return scored.score + static_cast<std::int64_t>(scored.stretch.period);
}

std::int64_t longestExplained(const std::vector<ScoredStretch>& stretches)
{
    std::int64_t longest = 0;
    for (const ScoredStretch& scored : stretches)
        longest = std::max(longest, explainedLength(scored));
    return longest;
}

} // namespace

std::optional<PeriodicStretch> findPeriod(std::span<const std::uint64_t> sequence)
{
    std::vector<ScoredStretch> stretches;
    // A wide window is longer than the layers that repeat within a step; a narrow one tolerates steps that
    // differ in places.
    for (const std::size_t width : {256u, 64u, 16u, 1u}) {
        const bool isExplained
            = longestExplained(stretches) * 100 >= static_cast<std::int64_t>(sequence.size()) * 95;
        if (isExplained || width * 4 > sequence.size())
            continue;
        for (const std::size_t period : candidatePeriods(Windows(sequence, width)))
            if (const ScoredStretch found = bestStretch(sequence, period); found.stretch.repeats() >= 2)
                stretches.push_back(found);
    }
    const std::int64_t longest = longestExplained(stretches);
    std::optional<PeriodicStretch> chosen;
    for (const ScoredStretch& scored : stretches)
        if (explainedLength(scored) * 100 >= longest * 98
            && (!chosen || scored.stretch.period < chosen->period))
            chosen = scored.stretch;
    return chosen;
}

} // namespace highwater
