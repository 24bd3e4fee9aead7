#include "core/analysis/diff/matching/step_alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace highwater {

namespace {

/// A shift must make the pairs at most this uneven.
constexpr double kMaxUnevenness = 0.02;
/// Without a shift, the pairs must be more uneven than this.
constexpr double kLeastUnshifted = 0.05;
/// The peaks of runs that grow differ evenly after any shift, so runs whose halves differ by more than this
/// (as a logarithm) are not shifted.
constexpr double kSteadyTolerance = 0.1;

/// True if the step names come from the recording.
bool isNamed(const StepTable& table)
{
    return table.source == StepSource::ProfilerStep || table.source == StepSource::Ranges;
}

/// Pairs steps of the same name, in order; nullopt if no name is in both, or a recording names no steps.
std::optional<AlignedSteps> byName(const StepTable& before, const StepTable& after)
{
    if (!isNamed(before) || !isNamed(after))
        return std::nullopt;
    std::map<std::string, std::size_t> afterOf;
    for (std::size_t i = 0; i < after.steps.size(); ++i)
        afterOf.try_emplace(after.steps[i].name, i);
    AlignedSteps aligned{StepAlignment::Name, {}};
    std::size_t next = 0;
    bool hasPair = false;
    for (std::size_t i = 0; i < before.steps.size(); ++i) {
        const auto found = afterOf.find(before.steps[i].name);
        if (found == afterOf.end() || found->second < next) {
            aligned.pairs.push_back({i, std::nullopt});
            continue;
        }
        for (; next < found->second; ++next)
            aligned.pairs.push_back({std::nullopt, next});
        aligned.pairs.push_back({i, next++});
        hasPair = true;
    }
    for (; next < after.steps.size(); ++next)
        aligned.pairs.push_back({std::nullopt, next});
    return hasPair ? std::optional(std::move(aligned)) : std::nullopt;
}

/// Pairs step i of the run before with step i + shift of the run after.
AlignedSteps shiftedPairs(
    std::size_t before, std::size_t after, std::ptrdiff_t shift, StepAlignment alignment)
{
    AlignedSteps aligned{alignment, {}};
    const auto beforeCount = static_cast<std::ptrdiff_t>(before);
    const auto afterCount = static_cast<std::ptrdiff_t>(after);
    for (std::ptrdiff_t i = std::min<std::ptrdiff_t>(0, -shift);
         i < std::max(beforeCount, afterCount - shift); ++i) {
        StepPair pair;
        if (i >= 0 && i < beforeCount)
            pair.before = static_cast<std::size_t>(i);
        if (i + shift >= 0 && i + shift < afterCount)
            pair.after = static_cast<std::size_t>(i + shift);
        if (pair.before || pair.after)
            aligned.pairs.push_back(pair);
    }
    return aligned;
}

/// Returns the peak in bytes, at least 1, so that it has a logarithm.
double peakOf(const Step& step)
{
    return static_cast<double>(std::max<Bytes>(step.peakBytes, 1));
}

/// Returns the median peak of the steps [first, last), which must not be empty; the upper one of two.
double medianPeak(const std::vector<Step>& steps, std::size_t first, std::size_t last)
{
    std::vector<double> peaks;
    for (std::size_t i = first; i < last; ++i)
        peaks.push_back(peakOf(steps[i]));
    const auto middle = peaks.begin() + static_cast<std::ptrdiff_t>(peaks.size() / 2);
    std::nth_element(peaks.begin(), middle, peaks.end());
    return *middle;
}

/// True if the median peak of the second half of a run is within about 10% of that of the first half.
bool isSteady(const std::vector<Step>& steps)
{
    const double first = medianPeak(steps, 0, steps.size() / 2);
    const double second = medianPeak(steps, steps.size() / 2, steps.size());
    return std::abs(std::log(second / first)) < kSteadyTolerance;
}

/// Returns how unevenly the peaks of the pairs differ: the mean of |r − median r| for r = log(after /
/// before). 0 if the ratio is the same in every pair.
double unevenness(const StepTable& before, const StepTable& after, std::ptrdiff_t shift)
{
    std::vector<double> ratios;
    for (const StepPair& pair :
        shiftedPairs(before.steps.size(), after.steps.size(), shift, StepAlignment::BestMatch).pairs)
        if (pair.before && pair.after)
            ratios.push_back(std::log(peakOf(after.steps[*pair.after]) / peakOf(before.steps[*pair.before])));
    if (ratios.empty())
        return std::numeric_limits<double>::max();
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    const double median = *middle;
    const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0,
        [median](double all, double ratio) { return all + std::abs(ratio - median); });
    return sum / static_cast<double>(ratios.size());
}

} // namespace

std::string_view toText(StepAlignment alignment)
{
    static constexpr std::array<std::string_view, 3> names = {"name", "index", "best-match"};
    return names[static_cast<std::size_t>(alignment)];
}

std::string_view inWords(StepAlignment alignment)
{
    static constexpr std::array<std::string_view, 3> words = {"paired by their names", "paired in order",
        "paired in order, shifted to where their peaks agree best"};
    return words[static_cast<std::size_t>(alignment)];
}

AlignedSteps alignSteps(const StepTable& before, const StepTable& after)
{
    if (std::optional<AlignedSteps> named = byName(before, after))
        return *std::move(named);
    const auto extraSteps
        = static_cast<std::ptrdiff_t>(after.steps.size()) - static_cast<std::ptrdiff_t>(before.steps.size());
    const double unshiftedUnevenness = unevenness(before, after, 0);
    std::ptrdiff_t bestShift = 0;
    double leastUnevenness = unshiftedUnevenness;
    for (std::ptrdiff_t shift = extraSteps > 0 ? 1 : -1;
         extraSteps != 0 && std::abs(shift) <= std::abs(extraSteps); shift += extraSteps > 0 ? 1 : -1) {
        const double shiftedUnevenness = unevenness(before, after, shift);
        if (shiftedUnevenness < leastUnevenness) {
            bestShift = shift;
            leastUnevenness = shiftedUnevenness;
        }
    }
    // The ratio of a single pair is always even, so it proves nothing.
    const bool isProven = std::min(before.steps.size(), after.steps.size()) > 1
        && leastUnevenness <= kMaxUnevenness && unshiftedUnevenness > kLeastUnshifted
        && isSteady(before.steps.size() < after.steps.size() ? before.steps : after.steps);
    bestShift = isProven ? bestShift : 0;
    return shiftedPairs(before.steps.size(), after.steps.size(), bestShift,
        bestShift == 0 ? StepAlignment::Index : StepAlignment::BestMatch);
}

} // namespace highwater
