#include "core/analysis/steps/growth.h"

#include <algorithm>
#include <cmath>

#include "core/base/median.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxStepsInPairs = 1000;

/// Returns the change of `endBytes` per step from step `a` to step `b`.
double slope(const std::vector<Step>& steps, std::size_t a, std::size_t b)
{
    return static_cast<double>(steps[b].endBytes - steps[a].endBytes) / static_cast<double>(b - a);
}

/// Returns the slopes between pairs of the steps [first, last); beyond kMaxStepsInPairs, only between steps
/// half the range apart.
std::vector<double> slopes(const std::vector<Step>& steps, std::size_t first, std::size_t last)
{
    std::vector<double> pairSlopes;
    const std::size_t count = last - first;
    if (count > kMaxStepsInPairs) {
        for (std::size_t i = first; i + count / 2 < last; ++i)
            pairSlopes.push_back(slope(steps, i, i + count / 2));
        return pairSlopes;
    }
    for (std::size_t a = first; a < last; ++a)
        for (std::size_t b = a + 1; b < last; ++b)
            pairSlopes.push_back(slope(steps, a, b));
    return pairSlopes;
}

} // namespace

std::optional<StepGrowth> growthPerStep(const StepTable& table)
{
    const std::vector<Step>& steps = table.steps;
    if (table.source == StepSource::Whole)
        return std::nullopt;
    std::size_t first = 0;
    while (first < steps.size() && !steps[first].isCounted())
        ++first;
    first += kWarmUpSteps;
    std::size_t last = steps.size();
    while (last > first && !steps[last - 1].isComplete)
        --last;
    if (last < first + kFewestGrowthSteps)
        return std::nullopt;
    return StepGrowth{static_cast<Bytes>(std::llround(median(slopes(steps, first, last)))), first, last};
}

} // namespace highwater
