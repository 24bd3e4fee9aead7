#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/steps/steps.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

/// One bar of a chart of steps. It represents the steps [first, last) and shows the one with the largest peak
/// among them (the earliest of equals), so that a high step is never hidden.
struct StepBar
{
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t shown = 0;

    bool operator==(const StepBar&) const = default;
};

/// Returns bars for the steps [first, last), at most `most` (≥ 1) plus one. If steps share bars, each bar
/// except the outer ones represents the same number of steps (1, 2 or 5 times a power of ten, as in
/// `stepColumns`), counted from step 0, so that bars keep their steps while the chart is scrolled. What
/// follows the last step has no bar of its own then, unless it has the highest peak.
/// O(last − first).
std::vector<StepBar> stepBars(
    const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t most);
/// True if a bar represents more than one step.
bool hasSharedBars(const std::vector<StepBar>& bars);

/// The lowest and the median peak of the steps of a bar.
struct PeakSpread
{
    Bytes lowest = 0;
    Bytes median = 0;

    bool operator==(const PeakSpread&) const = default;
};

/// Counts the complete steps of a bar, or only the one shown if there is none. O(steps × log steps).
PeakSpread peakSpread(const std::vector<Step>& steps, const StepBar& bar);

/// Moves flags on steps to the middles of the bars that show these steps, numbered from 0; a range extends
/// from the left edge of its first bar to the right edge of its last. O(flags × log bars).
std::vector<NoteFlag> flagsAtBars(std::vector<NoteFlag> flags, const std::vector<StepBar>& bars);

/// Returns bars as `stepBars` does, from peaks alone.
std::vector<StepBar> barsOfPeaks(
    const std::vector<Bytes>& peaks, std::size_t first, std::size_t last, std::size_t most);

} // namespace highwater
