#include "core/figure/step_bars.h"

#include <algorithm>

namespace highwater {

namespace {

/// `peakOf` gives the peak of the step at an index below `count`.
template <typename PeakOf>
std::vector<StepBar> barsOf(
    std::size_t count, PeakOf peakOf, std::size_t first, std::size_t last, std::size_t most)
{
    std::vector<StepBar> bars;
    last = std::min(last, count);
    if (first >= last)
        return bars;
    const std::size_t shared = (last - first + most - 1) / most;
    for (std::size_t begin = first; begin < last;) {
        const std::size_t end = std::min(last, (begin / shared + 1) * shared);
        StepBar bar{begin, end, begin};
        for (std::size_t i = begin; i < end; ++i)
            if (peakOf(i) > peakOf(bar.shown))
                bar.shown = i;
        bars.push_back(bar);
        begin = end;
    }
    return bars;
}

} // namespace

std::vector<StepBar> stepBars(
    const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t most)
{
    return barsOf(
        steps.size(), [&](std::size_t i) { return steps[i].peakBytes; }, first, last, most);
}

std::vector<StepBar> barsOfPeaks(
    const std::vector<Bytes>& peaks, std::size_t first, std::size_t last, std::size_t most)
{
    return barsOf(
        peaks.size(), [&](std::size_t i) { return peaks[i]; }, first, last, most);
}

} // namespace highwater
