#include "core/figure/layout/step_bars.h"

#include <algorithm>

#include "core/base/median.h"
#include "core/figure/drawing/ticks.h"

namespace highwater {

namespace {

/// Makes the bars of steps [first, last) out of `count`; `peakOf` returns the peak of a step by index.
template <typename PeakOf>
std::vector<StepBar> barsOf(
    std::size_t count, PeakOf peakOf, std::size_t first, std::size_t last, std::size_t most)
{
    std::vector<StepBar> bars;
    last = std::min(last, count);
    if (first >= last)
        return bars;
    const auto stepsPerBar = static_cast<std::size_t>(
        std::max(1.0, roundStep(static_cast<double>(last - first) / static_cast<double>(most))));
    for (std::size_t begin = first; begin < last;) {
        const std::size_t end = std::min(last, (begin / stepsPerBar + 1) * stepsPerBar);
        StepBar bar{begin, end, begin};
        for (std::size_t i = begin; i < end; ++i)
            if (peakOf(i) > peakOf(bar.shown))
                bar.shown = i;
        bars.push_back(bar);
        begin = end;
    }
    return bars;
}

/// True if the last bar has no step, only what follows the last one, and does not show the highest peak.
bool endsWithoutStep(const std::vector<Step>& steps, const std::vector<StepBar>& bars)
{
    const auto peakOf = [&](const StepBar& bar) { return steps[bar.shown].peakBytes; };
    return bars.size() > 1 && bars.back().last - bars.back().first == 1
        && !steps[bars.back().first].isCounted()
        && std::ranges::max_element(bars, {}, peakOf) != bars.end() - 1;
}

} // namespace

std::vector<StepBar> stepBars(
    const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t most)
{
    std::vector<StepBar> bars = barsOf(
        steps.size(), [&](std::size_t i) { return steps[i].peakBytes; }, first, last, most);
    if (hasSharedBars(bars) && endsWithoutStep(steps, bars))
        bars.pop_back();
    return bars;
}

std::vector<StepBar> barsOfPeaks(
    const std::vector<Bytes>& peaks, std::size_t first, std::size_t last, std::size_t most)
{
    return barsOf(
        peaks.size(), [&](std::size_t i) { return peaks[i]; }, first, last, most);
}

bool hasSharedBars(const std::vector<StepBar>& bars)
{
    return std::ranges::any_of(bars, [](const StepBar& bar) { return bar.last - bar.first > 1; });
}

PeakSpread peakSpread(const std::vector<Step>& steps, const StepBar& bar)
{
    std::vector<Bytes> peaks;
    for (std::size_t i = bar.first; i < bar.last; ++i)
        if (steps[i].isCountedAndComplete())
            peaks.push_back(steps[i].peakBytes);
    if (peaks.empty())
        peaks.push_back(steps[bar.shown].peakBytes);
    return {*std::ranges::min_element(peaks), median(peaks)};
}

std::vector<NoteFlag> flagsAtBars(std::vector<NoteFlag> flags, const std::vector<StepBar>& bars)
{
    const auto barOf = [&](double step) {
        const auto found = std::ranges::upper_bound(
            bars, step, {}, [](const StepBar& bar) { return static_cast<double>(bar.first); });
        return static_cast<double>(std::max<std::ptrdiff_t>(found - bars.begin() - 1, 0));
    };
    for (NoteFlag& flag : flags) {
        const bool isRange = flag.first < flag.last;
        flag.last = isRange ? barOf(flag.last) + 1 : barOf(flag.last) + 0.5;
        flag.first = isRange ? barOf(flag.first) : flag.last;
    }
    return flags;
}

} // namespace highwater
