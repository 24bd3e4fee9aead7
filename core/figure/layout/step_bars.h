#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/steps/steps.h"
#include "core/figure/sheet/note_flag.h"

namespace highwater {

/// One bar of a chart of steps. It stands for the steps [first, last) and shows the one with the largest peak
/// among them (the earliest of equals): a high step never disappears among many.
struct StepBar
{
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t shown = 0;

    bool operator==(const StepBar&) const = default;
};

/// Bars for the steps [first, last), at most `most` (≥ 1) and one more. Where steps share bars, each bar but
/// the outer ones stands for the same number of them, counted from step 0, so that bars keep what they stand
/// for while the chart is moved. O(last − first).
std::vector<StepBar> stepBars(
    const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t most);
/// The flags at steps moved to the middles of the bars that show these steps, from 0; a range reaches from
/// the left edge of its first bar to the right edge of its last. O(flags × log bars).
std::vector<NoteFlag> flagsAtBars(std::vector<NoteFlag> flags, const std::vector<StepBar>& bars);

/// The same of peaks alone.
std::vector<StepBar> barsOfPeaks(
    const std::vector<Bytes>& peaks, std::size_t first, std::size_t last, std::size_t most);

} // namespace highwater
