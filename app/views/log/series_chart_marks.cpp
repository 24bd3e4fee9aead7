#include <algorithm>
#include <cmath>

#include "app/views/log/series_chart.h"
#include "app/views/log/series_overlay.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/figure/series_plot.h"

// The marks of the chart over its series: failures, names of lines, notes.

namespace highwater::gui {

void SeriesChart::setNotes(std::vector<NoteFlag> notes)
{
    m_notes = std::move(notes);
    placeNotes();
    refresh();
}

/// Returns the position of a message: its own step, time or line, else that of the last shown point up to
/// its line; nullopt if there is none.
std::optional<double> SeriesChart::xOf(const LogEvent& event) const
{
    if (m_axis == Axis::Step && event.step != LogEvent::kNoStep)
        return stepPosition(event);
    if (m_axis == Axis::Time && event.time >= m_firstTime)
        return static_cast<double>(event.time - m_firstTime);
    if (m_axis == Axis::Line)
        return static_cast<double>(event.line);
    std::optional<std::pair<std::uint64_t, double>> last; // line and x of a point
    for (const std::size_t index : m_shown) {
        const CounterSeries& series = m_trace->counters[index];
        for (std::size_t i = 0; i < series.points(); ++i)
            if (series.lineAt(i) <= event.line && isPlaced(series, i)
                && (!last || series.lineAt(i) >= last->first))
                last = {series.lineAt(i), xOf(series, i)};
    }
    return last ? std::optional(last->second) : std::nullopt;
}

/// Marks where memory ran out, with what was requested and what was free.
void SeriesChart::placeFailures()
{
    std::vector<SeriesOverlay::Failure> failures;
    if (m_trace && !m_shown.empty())
        for (const PlacedFailure& failure :
            placedFailures(*m_trace, [this](const LogEvent& event) { return xOf(event); }))
            failures.push_back({failure.x, toQString(failureLabel(*m_trace, failure))});
    m_overlay->setFailures(std::move(failures));
}

/// Names each line at its last point.
void SeriesChart::nameLines()
{
    std::vector<SeriesOverlay::LineEnd> ends;
    for (const std::size_t index : m_shown) {
        const CounterSeries& series = m_trace->counters[index];
        const std::string name = shortSeriesName(series);
        const auto hasSameName
            = [&](std::size_t other) { return shortSeriesName(m_trace->counters[other]) == name; };
        const bool isOnly = std::ranges::count_if(m_shown, hasSameName) == 1;
        for (std::size_t i = series.points(); i-- > 0;) {
            if (!isPlaced(series, i) || !std::isfinite(series.value[i]))
                continue;
            ends.push_back({xOf(series, i), series.value[i], toQString(isOnly ? name : measureText(series)),
                colorOf(index)});
            break;
        }
    }
    m_overlay->setLineEnds(std::move(ends));
}

QStringList SeriesChart::seriesNames() const
{
    QStringList names;
    for (const SeriesOverlay::LineEnd& end : m_overlay->lineEnds())
        names << end.name;
    return names;
}

QStringList SeriesChart::failureTexts() const
{
    QStringList texts;
    for (const SeriesOverlay::Failure& failure : m_overlay->failures())
        texts << failure.text;
    return texts;
}

/// Places each note at the point whose line is nearest. O(points × log points).
void SeriesChart::placeNotes()
{
    std::vector<std::pair<double, double>> points; // pairs of line and x coordinate
    for (std::size_t i = 0; i < m_shown.size() && !m_notes.empty(); ++i) {
        const CounterSeries& series = m_trace->counters[m_shown[i]];
        for (std::size_t point = 0; point < series.points(); ++point)
            if (series.lineAt(point) > 0 && isPlaced(series, point))
                points.emplace_back(static_cast<double>(series.lineAt(point)), xOf(series, point));
    }
    std::ranges::sort(points);
    SeriesOverlay::Notes places;
    for (std::size_t i = 0; i < m_notes.size() && !points.empty(); ++i) {
        const double line = m_notes[i].first;
        auto nearest = std::ranges::lower_bound(points, line, {}, &std::pair<double, double>::first);
        const bool isBefore = nearest == points.end()
            || (nearest != points.begin() && line - std::prev(nearest)->first < nearest->first - line);
        places.emplace_back((isBefore ? std::prev(nearest) : nearest)->second, m_notes[i]);
    }
    std::ranges::stable_sort(places, {}, &SeriesOverlay::Notes::value_type::first);
    m_overlay->setNotes(std::move(places));
}

} // namespace highwater::gui
