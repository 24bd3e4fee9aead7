#include "core/figure/diff_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/usage/pixel_columns.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag_shapes.h"

namespace highwater {

namespace {

using CurveColumn = OverlaidCurves::Column;

/// Calls `draw` with each longest range [first, last) of adjacent columns for which `isIncluded` is true.
template <typename Predicate, typename Draw>
void forEachRange(const std::vector<CurveColumn>& columns, const Predicate& isIncluded, const Draw& draw)
{
    for (std::size_t first = 0; first < columns.size();) {
        std::size_t last = first + 1;
        while (last < columns.size() && isIncluded(columns[last]) == isIncluded(columns[first]))
            ++last;
        if (isIncluded(columns[first]))
            draw(first, last);
        first = last;
    }
}

class CurveDrawing
{
public:
    CurveDrawing(
        FigureSheet& sheet, const PlotFrame& plot, const std::vector<CurveColumn>& columns, double tolerance)
        : m_sheet(sheet)
        , m_plot(plot)
        , m_columns(columns)
        , m_tolerance(tolerance)
    {
    }

    /// Fills the area between the curves wherever `upper` is above `lower`.
    void fillDifference(
        Bytes CurveColumn::*upper, Bytes CurveColumn::*lower, FigureColor color, const char* title)
    {
        const auto isAbove = [&](const CurveColumn& column) {
            return column.hasBefore && column.hasAfter && column.*upper > column.*lower;
        };
        forEachRange(m_columns, isAbove, [&](std::size_t first, std::size_t last) {
            FigurePolygon area{.points = edge(upper, first, last), .fill = color, .title = title};
            std::vector<FigurePoint> lowerEdge = edge(lower, first, last);
            area.points.insert(area.points.end(), lowerEdge.rbegin(), lowerEdge.rend());
            m_sheet.add(std::move(area));
        });
    }

    void drawCurve(Bytes CurveColumn::*bytes, bool CurveColumn::*isOn, FigureColor color, double width)
    {
        forEachRange(
            m_columns, [isOn](const CurveColumn& column) { return column.*isOn; },
            [&](std::size_t first, std::size_t last) {
                m_sheet.add(FigureLine{.points = edge(bytes, first, last), .color = color, .width = width});
            });
    }

private:
    double x(std::size_t column) const
    {
        return m_plot.left
            + m_plot.width() * static_cast<double>(column) / static_cast<double>(m_columns.size());
    }

    /// Returns a point for each column of [first, last); columns that differ from the drawn one by less than
    /// the tolerance are joined to it.
    std::vector<FigurePoint> edge(Bytes CurveColumn::*bytes, std::size_t first, std::size_t last) const
    {
        std::vector<FigurePoint> points;
        for (std::size_t i = first; i < last; ++i) {
            if (i > first && m_columns[i].*bytes == m_columns[i - 1].*bytes)
                continue;
            const double y = m_plot.y(static_cast<double>(m_columns[i].*bytes));
            if (!points.empty() && std::abs(y - points.back().y) < m_tolerance)
                continue;
            if (!points.empty())
                points.push_back({x(i), points.back().y});
            points.push_back({x(i), y});
        }
        points.push_back({x(last), points.back().y});
        return points;
    }

    FigureSheet& m_sheet;
    PlotFrame m_plot;
    const std::vector<CurveColumn>& m_columns;
    double m_tolerance;
};

std::string diffSubtitle(const CurveInFigure& before, const CurveInFigure& after, Quantity quantity)
{
    const Bytes peakBefore = before.curve.peak().bytes;
    const Bytes peakAfter = after.curve.peak().bytes;
    const ChangeText text = formatChange(peakBefore, peakAfter);
    return fmt::format("Peak {} → {} ({}, {}), {} bytes. Before: {}. After: {}.", text.before, text.after,
        text.delta, formatRelativeDelta(peakBefore, peakAfter), inWords(quantity), before.name, after.name);
}

/// Returns the bytes right after the event of the run, or at its peak if none is set.
Bytes legendBytes(const CurveInFigure& run)
{
    return run.event ? run.curve.at(*run.event) : run.curve.peak().bytes;
}

} // namespace

OverlaidCurves overlayCurves(const UsageCurve& before, const UsageCurve& after, const RunAlignment& alignment,
    double begin, double end, int width)
{
    const std::vector<PixelColumn> beforeColumns = pixelColumns(before, alignment.before, begin, end, width);
    const std::vector<PixelColumn> afterColumns = pixelColumns(after, alignment.after, begin, end, width);
    OverlaidCurves curves;
    curves.columns.reserve(beforeColumns.size());
    for (std::size_t i = 0; i < beforeColumns.size(); ++i) {
        const PixelColumn& beforeColumn = beforeColumns[i];
        const PixelColumn& afterColumn = afterColumns[i];
        curves.columns.push_back({beforeColumn.bytes, afterColumn.bytes, beforeColumn.event != kNoState,
            afterColumn.event != kNoState});
        curves.highest = std::max({curves.highest, beforeColumn.bytes, afterColumn.bytes});
    }
    return curves;
}

Ticks axisTicks(const RunAlignment& alignment, double begin, double end, int wanted)
{
    switch (alignment.axis) {
    case RunAxis::Step:
    case RunAxis::EqualStep:
    case RunAxis::Phase: return markTicks(alignment.marks, alignment.end(), begin, end, wanted);
    case RunAxis::Time: return durationTicks(std::max(begin, 0.0), std::max(end, 1.0), wanted);
    case RunAxis::Event: break;
    }
    return countTicks(std::max(begin, 0.0), std::max(end, 1.0), wanted);
}

std::string axisName(const RunAlignment& alignment)
{
    switch (alignment.axis) {
    case RunAxis::Step: return "paired steps";
    case RunAxis::EqualStep: return "paired steps, equally wide";
    case RunAxis::Phase: return "paired steps and phases";
    case RunAxis::Time: return "time since the first event of each run";
    case RunAxis::Event: break;
    }
    return "event of each run";
}

Figure diffFigure(const CurveInFigure& before, const CurveInFigure& after, const RunAlignment& alignment,
    Quantity quantity, double begin, double end, const FigureOptions& options,
    const std::vector<NoteFlag>& flags)
{
    FigureSheet sheet(
        options, fmt::format("{} · before and after", options.source), diffSubtitle(before, after, quantity));
    const FigurePalette& colors = sheet.palette();
    const PairText inLegend = formatPair(legendBytes(before), legendBytes(after));
    const std::vector<LegendEntry> legend
        = sheet.keyOfRuns({{"before", inLegend.before, colors.reservedEdge, true, false},
            {"after", inLegend.after, colors.quietText, true, false}, {"more after", "", colors.moreFill},
            {"less after", "", colors.lessFill}});
    PlotFrame plot = sheet.plot(options.labelRoom(), options.axisRoom(), legend);
    if (options.edges) {
        plot.left = options.edges->left;
        plot.right = options.edges->right;
    }
    plot.xBegin = begin;
    plot.xEnd = end;
    const std::vector<FlagPlace> places = placeFlags(flags, plot);
    plot.top += flagsHeight(places);
    const auto width = static_cast<int>(std::max(1.0, std::floor(plot.width())));
    const OverlaidCurves curves = overlayCurves(before.curve, after.curve, alignment, begin, end, width);
    plot.fitBytes(std::max<Bytes>(curves.highest, 1), 0);
    sheet.byteAxis(plot, fmt::format("{} bytes", inWords(quantity)));
    drawFlagBands(sheet, plot, places);
    CurveDrawing drawing(sheet, plot, curves.columns, options.tolerance);
    drawing.fillDifference(&CurveColumn::after, &CurveColumn::before, colors.moreFill, "more after");
    drawing.fillDifference(&CurveColumn::before, &CurveColumn::after, colors.lessFill, "less after");
    drawing.drawCurve(&CurveColumn::before, &CurveColumn::hasBefore, colors.reservedEdge, 1.5);
    drawing.drawCurve(&CurveColumn::after, &CurveColumn::hasAfter, colors.quietText, 1.5);
    drawFlags(sheet, plot, places);
    sheet.countAxis(
        plot, axisTicks(alignment, begin, end, static_cast<int>(plot.width() / 110)), axisName(alignment));
    sheet.legend(legend);
    return sheet.take();
}

} // namespace highwater
