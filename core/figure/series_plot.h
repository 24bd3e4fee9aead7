#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/logs/log_failures.h"
#include "core/figure/sheet/figure_sheet.h"

/// What pictures of sampled series have in common.
namespace highwater {

/// What series are laid out by.
enum class SeriesAxis : std::uint8_t
{
    Step, ///< of the run, as the logs write it
    Time, ///< since the first point of each
    Point, ///< the first beside the first, and so on
};

/// The best that both have for most of their points; of one series, given twice, the best that it has.
/// O(points).
SeriesAxis seriesAxis(const CounterSeries& before, const CounterSeries& after);
/// "step"; `run`: whose points these are: "the run", "each run".
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

    /// Where something in the log lies; none: before everything that is drawn. O(points).
    std::optional<double> xOf(const LogEvent& event) const;
    /// Of the last point at or before it. O(log points).
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

/// Where memory ran out: each place once, in the order of the log, a dozen at most.
std::vector<double> failurePlaces(const PlacedSeries& series);

/// What the axes must hold.
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

    /// At most four points for each pixel; dots where there are few. `run`: in front of what the pointer is
    /// told; empty: nothing.
    void series(const PlacedSeries& series, FigureColor color, const std::string& run);
    void capacity(Bytes bytes, const std::string& label);
    /// A line down at x, named at the bottom, where a run that ran out of memory has no curve; `row`:
    /// neighbours stand over each other.
    void failure(double x, const std::string& label, int row);

private:
    void dot(const PlacedSeries& series, const PlacedPoint& point, FigureColor color, const std::string& run);

    FigureSheet& m_sheet;
    const PlotFrame& m_plot;
};

} // namespace highwater
