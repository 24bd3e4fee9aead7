#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

/// One run in a figure of two runs.
struct CurveInFigure
{
    const UsageCurve& curve;
    std::string name; ///< "before.pickle"
};

/// The totals of two runs over the places [begin, end) of their common axis, in columns of one pixel, each
/// with its largest total; `isOn` where the run has events.
struct OverlaidCurves
{
    struct Column
    {
        Bytes before = 0;
        Bytes after = 0;
        bool beforeIsOn = false;
        bool afterIsOn = false;

        bool operator==(const Column&) const = default;
    };
    std::vector<Column> columns;
    Bytes highest = 0;
};

/// O(width × log events).
OverlaidCurves overlayCurves(const UsageCurve& before, const UsageCurve& after, const RunAlignment& alignment,
    double begin, double end, int width);

/// Ticks of the common axis in [begin, end]: names of steps where steps are aligned, else times or events.
Ticks axisTicks(const RunAlignment& alignment, double begin, double end, int wanted);
/// The name of the common axis: "steps put beside each other", "time since the first event of each run", …
std::string axisName(const RunAlignment& alignment);

/// Both curves overlaid, with the difference between them filled: where the run after holds more, and where
/// it holds less. Both must count the same bytes (`quantity`). `flags` are positions on the common axis.
Figure diffFigure(const CurveInFigure& before, const CurveInFigure& after, const RunAlignment& alignment,
    Quantity quantity, double begin, double end, const FigureOptions& options,
    const std::vector<NoteFlag>& flags = {});

} // namespace highwater
