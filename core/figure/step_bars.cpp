#include "core/figure/step_bars.h"

#include <algorithm>

namespace highwater {

std::vector<StepBar> stepBars(
    const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t most)
{
    std::vector<StepBar> bars;
    last = std::min(last, steps.size());
    if (first >= last)
        return bars;
    const std::size_t shared = (last - first + most - 1) / most;
    for (std::size_t begin = first; begin < last;) {
        const std::size_t end = std::min(last, (begin / shared + 1) * shared);
        StepBar bar{begin, end, begin};
        for (std::size_t i = begin; i < end; ++i)
            if (steps[i].peakBytes > steps[bar.shown].peakBytes)
                bar.shown = i;
        bars.push_back(bar);
        begin = end;
    }
    return bars;
}

} // namespace highwater
