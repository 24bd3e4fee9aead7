#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater {

/// One run in a figure that compares two runs.
struct CurveInFigure
{
    const UsageCurve& curve;
    std::string name; ///< "before.pickle"
};

/// The totals of two runs over the range [begin, end) of their common axis, in columns of one pixel, each
/// with its largest total; `beforeIsOn` and `afterIsOn` are true where that run has events.
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

/// Computes the overlaid curves. O(width × log events).
OverlaidCurves overlayCurves(const UsageCurve& before, const UsageCurve& after, const RunAlignment& alignment,
    double begin, double end, int width);

/// Returns ticks of the common axis in [begin, end]: step names if steps are aligned, else times or events.
Ticks axisTicks(const RunAlignment& alignment, double begin, double end, int wanted);
/// Returns the name of the common axis: "steps beside each other", "time since the first event of each run",
/// …
std::string axisName(const RunAlignment& alignment);

/// Draws both curves overlaid and fills the difference between them, in one colour where the run after uses
/// more, in another where it uses less. Both must count the same bytes (`quantity`). `flags` are positions on
/// the common axis.
Figure diffFigure(const CurveInFigure& before, const CurveInFigure& after, const RunAlignment& alignment,
    Quantity quantity, double begin, double end, const FigureOptions& options,
    const std::vector<NoteFlag>& flags = {});

} // namespace highwater
