#include "core/figure/step_axis.h"

#include <algorithm>
#include <cstdint>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Returns by how much the numbers in the steps' names exceed their indices, as far as the first number
/// tells; 0 if no name has a number.
std::int64_t numberOffset(const std::vector<Step>& steps)
{
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (const auto number = numberAtEnd(steps[i].name))
            return *number - static_cast<std::int64_t>(i);
    return 0;
}

/// Returns the position of a step on the axis: the bar that shows it, and its place among the bar's steps.
double placeOf(std::size_t step, const std::vector<StepBar>& bars)
{
    const auto bar = std::ranges::upper_bound(bars, step, {}, &StepBar::first) - 1;
    return static_cast<double>(bar - bars.begin())
        + (static_cast<double>(step - bar->first) + 0.5) / static_cast<double>(bar->last - bar->first);
}

} // namespace

Ticks stepTicks(const std::vector<Step>& steps, const std::vector<StepBar>& bars, int wanted)
{
    const std::int64_t offset = numberOffset(steps);
    const auto first = static_cast<std::int64_t>(bars.front().first);
    const auto last = static_cast<std::int64_t>(bars.back().last) - 1;
    const auto most = static_cast<int>(std::min<std::int64_t>(wanted, last - first + 1));
    Ticks ticks;
    for (const double number :
        countTicks(static_cast<double>(first + offset), static_cast<double>(last + offset), most).positions) {
        const auto index = static_cast<std::int64_t>(number) - offset;
        if (index < first || index > last || !steps[static_cast<std::size_t>(index)].isCounted())
            continue;
        const auto step = static_cast<std::size_t>(index);
        ticks.positions.push_back(placeOf(step, bars));
        ticks.labels.push_back(formatCount(numberAtEnd(steps[step].name).value_or(index)));
    }
    return ticks;
}

} // namespace highwater
