#pragma once

#include <cstdint>
#include <optional>
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
    /// The legend has the bytes right after this event; those of the peak if it is not set.
    std::optional<std::int64_t> event = std::nullopt;
};

/// The totals of two runs over a range of their common axis, in columns of one pixel. A column has the
/// largest total of each run in it.
struct OverlaidCurves
{
    struct Column
    {
        Bytes before = 0;
        Bytes after = 0;
        bool hasBefore = false; ///< True if the run before has events there
        bool hasAfter = false;

        bool operator==(const Column&) const = default;
    };
    std::vector<Column> columns;
    Bytes highest = 0;
};

/// Computes the overlaid curves over [begin, end) of the common axis, in `width` columns.
/// O(width × log events).
OverlaidCurves overlayCurves(const UsageCurve& before, const UsageCurve& after, const RunAlignment& alignment,
    double begin, double end, int width);

/// Returns about `wanted` ticks (≥ 1) of the common axis in [begin, end]: names of steps if steps or phases
/// are aligned, else times or events.
Ticks axisTicks(const RunAlignment& alignment, double begin, double end, int wanted);
/// Returns the name of the common axis: "paired steps", "time since the first event of each run", …
std::string axisName(const RunAlignment& alignment);

/// Draws both curves overlaid and fills the difference between them where both runs have events, in one
/// colour where the run after uses more, in another where it uses less. Both runs must count the same bytes
/// (`quantity`). `begin`, `end` and the positions of `flags` are on the common axis. O(width × log events).
Figure diffFigure(const CurveInFigure& before, const CurveInFigure& after, const RunAlignment& alignment,
    Quantity quantity, double begin, double end, const FigureOptions& options,
    const std::vector<NoteFlag>& flags = {});

} // namespace highwater
