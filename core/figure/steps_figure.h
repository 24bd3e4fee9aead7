#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/analysis/composition/step_figures.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/layout/step_bars.h"

namespace highwater {

/// The part of a chart of steps that is drawn.
struct StepsInFigure
{
    std::size_t first = 0;
    std::size_t last = std::numeric_limits<std::size_t>::max(); ///< Clipped to the number of steps
    std::optional<DeviceCapacity> capacity; ///< Drawn as a line unless far above the peak
    bool showsDifferences = false; ///< The axis begins at `beginOfDifferences`, not at 0
};

/// Returns the bars of the figure. O(steps in view).
std::vector<StepBar> barsInFigure(
    const DeviceStudy& study, const StepsInFigure& shown, const FigureOptions& options);

/// Returns where an axis begins that shows the differences between the peaks of the complete steps: below the
/// lowest of them; 0 if they are equal, or differ so much that an axis from 0 shows it. O(steps).
Bytes beginOfDifferences(const std::vector<Step>& steps);

/// Draws one bar per step, or per several consecutive steps if there are too many (step_bars.h): live bytes
/// at the step's peak, by category, with the totals at its start and its end as lines. The id of a bar is the
/// step that it shows. The parts of a bar have the order of the timeline's bands; what is kept from earlier
/// steps is hatched. Only a figure with a title has a key of its lines. If steps share bars, a bar is pale
/// above the lowest peak of its steps, and a line of the median peaks replaces that of the starts. If the
/// axis does not begin at 0, totals at starts and ends are not drawn. The positions of `flags` are indices
/// into StepTable::steps; a range includes the last step that it touches. O(steps × categories).
Figure stepsFigure(const DeviceStudy& study, const StepPeaks& atPeaks, const StepsInFigure& shown,
    const FigureOptions& options, const std::vector<NoteFlag>& flags);
/// Draws all steps. O(allocations + steps).
Figure stepsFigure(
    const DeviceStudy& study, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater
