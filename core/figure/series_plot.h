#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/logs/log_failures.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/figure_sheet.h"

/// Shared by the figures of sampled series.
namespace highwater {

/// The x axis of sampled series.
enum class SeriesAxis : std::uint8_t
{
    Step, ///< Step of the run, as the logs write it
    Time, ///< Time since the first point of each series
    Point, ///< Index of the point in its series
};

/// Returns the first of Step and Time for which more than half of the points of each series have a value,
/// else Point; for a single series, pass it twice. O(points).
SeriesAxis seriesAxis(const CounterSeries& before, const CounterSeries& after);
/// Returns "step", or a name with `run`, the owner of the points: "the run", "each run".
std::string seriesAxisName(SeriesAxis axis, const std::string& run);

/// A point on the axis.
struct PlacedPoint
{
    double x = 0;
    double value = 0;
    std::size_t point = 0; ///< Index in the series
};

/// A series of a log on an axis; the log and the series must outlive it.
class PlacedSeries
{
public:
    /// Places the points that have a position on the axis and a finite value. O(points × log points).
    PlacedSeries(const Trace& log, const CounterSeries& series, SeriesAxis axis);

    const std::vector<PlacedPoint>& points() const { return m_points; }
    const Trace& log() const { return m_log; }

    /// Returns the position of an event of the log: its step or time, else that of `xOfLine`. O(log points).
    std::optional<double> xOf(const LogEvent& event) const;
    /// Returns the position of the last point at or before the line; nullopt if there is none. O(log points).
    std::optional<double> xOfLine(std::uint64_t line) const;
    /// Returns "step 4: 69.48 GiB", or only the value of a point without a step.
    std::string textOf(const PlacedPoint& point) const;

private:
    std::optional<double> xOf(std::size_t point) const;

    const Trace& m_log;
    const CounterSeries& m_series;
    SeriesAxis m_axis;
    Nanoseconds m_firstTime;
    std::vector<PlacedPoint> m_points;
    std::vector<std::pair<std::uint64_t, double>> m_byLine; ///< Line and x of each point
};

/// A position at which memory ran out.
struct PlacedFailure
{
    double x = 0;
    std::vector<std::size_t>
        events; ///< One message of each failure there, as indices into `Trace::logEvents`
};

/// Returns where memory ran out: each position once, in the order of the log, at most a dozen. `xOf` gives
/// the position of a message; failures without one are left out.
std::vector<PlacedFailure> placedFailures(
    const Trace& log, const std::function<std::optional<double>(const LogEvent&)>& xOf);
std::vector<PlacedFailure> placedFailures(const PlacedSeries& series);
/// Returns the position of a message on an axis of steps: its step, or half a step after the last one logged
/// if the message itself gives none, as `stepText` words it.
double stepPosition(const LogEvent& event);
/// Returns the label of a failure: "out of memory: 2 GiB requested, 1.25 GiB free", as far as the message
/// gives the figures; with the number of failures if there are several, "out of memory twice: …", and of
/// ranks "2 ranks out of memory: 680 MiB requested by each", without figures if the requests differ.
std::string failureLabel(const Trace& log, const PlacedFailure& failure);

/// Returns a colour for each series, in the given order: dark for memory in use, grey for reserved memory.
/// Further series of a measure, such as its peak or those of other ranks, get other colours. Up to eight
/// series have different colours.
std::vector<ThemedColor> seriesColors(const Trace& log, const std::vector<std::size_t>& order);
/// Returns the short name of a series beside its line: "allocated peak", or its own name without a measure.
std::string shortSeriesName(const CounterSeries& series);

/// Returns the indices of the points to draw, ascending: the first, lowest, highest and last of each pixel.
/// Points must be in the order of their pixels. O(points).
std::vector<std::size_t> pixelExtremes(std::size_t points, const std::function<double(std::size_t)>& pixelOf,
    const std::function<double(std::size_t)>& valueOf);

/// The ranges that the axes must cover.
struct SeriesExtent
{
    double left = 0;
    double right = 0;
    double highest = 0;
    bool hasPositions = false;

    void add(const PlacedSeries& series);
    void addX(double x);
};

/// Returns the frame of the plot above a legend of height `legend`.
PlotFrame seriesFrame(const FigureSheet& sheet, const SeriesExtent& extent, double legend);
Ticks seriesTicks(SeriesAxis axis, const PlotFrame& plot);

/// Draws series into a plot. Sheet and plot must outlive it.
class SeriesDrawing
{
public:
    SeriesDrawing(FigureSheet& sheet, const PlotFrame& plot)
        : m_sheet(sheet)
        , m_plot(plot)
    {
    }

    /// Draws a line of at most four points per pixel, with a dot at each point; of more than 200 points, only
    /// the largest has a dot. `run` is the prefix of the tooltips; may be empty.
    void series(const PlacedSeries& series, FigureColor color, const std::string& run);
    /// Draws a vertical line at x for a run that ran out of memory. Its label ends to the left of the line,
    /// at the bottom of the plot; `row` stacks the labels of neighbouring lines, in four rows.
    void failure(double x, const std::string& label, int row);
    /// Draws a horizontal line at the capacity, with a label and the bytes at its right end, or at its left
    /// end if the line of a failure would cross the label. To be called after `failure`.
    void capacity(Bytes bytes, const std::string& label);

private:
    void dot(const PlacedSeries& series, const PlacedPoint& point, FigureColor color, const std::string& run);

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
    std::vector<double> m_failures; ///< x of their lines, in pixels
};

} // namespace highwater
