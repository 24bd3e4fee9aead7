#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/logs/log_failures.h"
#include "core/figure/drawing/figure_sheet.h"

/// Shared by the figures of sampled series.
namespace highwater {

/// The x axis of sampled series.
enum class SeriesAxis : std::uint8_t
{
    Step, ///< of the run, as the logs write it
    Time, ///< since the first point of each
    Point, ///< by index: first with first, and so on
};

/// The best axis that both have for most of their points; for one series, pass it twice. O(points).
SeriesAxis seriesAxis(const CounterSeries& before, const CounterSeries& after);
/// "step"; `run`: the owner of the points: "the run", "each run".
std::string seriesAxisName(SeriesAxis axis, const std::string& run);

/// A point on the axis.
struct PlacedPoint
{
    double x = 0;
    double value = 0;
    std::size_t point = 0; ///< in the series
};

/// A series of a log on an axis; the log must outlive it.
class PlacedSeries
{
public:
    /// O(points).
    PlacedSeries(const Trace& log, const CounterSeries& series, SeriesAxis axis);

    const std::vector<PlacedPoint>& points() const { return m_points; }
    const Trace& log() const { return m_log; }

    /// Position of an event of the log; none: before everything that is drawn. O(points).
    std::optional<double> xOf(const LogEvent& event) const;
    /// Position of the last point at or before the line. O(log points).
    std::optional<double> xOfLine(std::uint64_t line) const;
    /// "step 4: 69.48 GiB".
    std::string textOf(const PlacedPoint& point) const;

private:
    std::optional<double> xOf(std::size_t point) const;

    const Trace& m_log;
    const CounterSeries& m_series;
    SeriesAxis m_axis;
    Nanoseconds m_firstTime;
    std::vector<PlacedPoint> m_points;
    std::vector<std::pair<std::uint64_t, double>> m_byLine; ///< line and x of each point
};

/// Where memory ran out: each position once, in the order of the log, at most a dozen.
std::vector<double> failurePlaces(const PlacedSeries& series);

/// Of points in the order of their pixels the first, lowest, highest and last of each pixel, as ascending
/// positions among them. O(points).
std::vector<std::size_t> pixelExtremes(std::size_t points, const std::function<double(std::size_t)>& pixelOf,
    const std::function<double(std::size_t)>& valueOf);

/// The ranges that the axes must cover.
struct SeriesExtent
{
    double left = 0;
    double right = 0;
    double highest = 0;
    bool any = false;

    void add(const PlacedSeries& series);
    void addX(double x);
};

/// The plot above a legend of that height.
PlotFrame seriesFrame(const FigureSheet& sheet, const SeriesExtent& extent, double legend);
Ticks seriesTicks(SeriesAxis axis, const PlotFrame& plot);

/// Draws series into a plot. Both must outlive it.
class SeriesDrawing
{
public:
    SeriesDrawing(FigureSheet& sheet, const PlotFrame& plot)
        : m_sheet(sheet)
        , m_plot(plot)
    {
    }

    /// At most four points per pixel; dots where there are few. `run`: prefix of the tooltips; empty: none.
    void series(const PlacedSeries& series, FigureColor color, const std::string& run);
    void capacity(Bytes bytes, const std::string& label);
    /// A vertical line at x, labelled at the bottom, where a run that ran out of memory has no curve; `row`:
    /// neighbouring labels are stacked.
    void failure(double x, const std::string& label, int row);

private:
    void dot(const PlacedSeries& series, const PlacedPoint& point, FigureColor color, const std::string& run);

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
};

} // namespace highwater
