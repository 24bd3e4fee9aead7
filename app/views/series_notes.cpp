#include "app/views/series_notes.h"

#include <algorithm>

#include "app/views/series_chart.h"
#include "app/workspace/note_badge.h"

namespace highwater::gui {

SeriesNotes::SeriesNotes(QCustomPlot* chart)
    : QCPLayerable(chart, QStringLiteral("overlay"))
{
}

void SeriesNotes::draw(QCPPainter* painter)
{
    const QRectF chart = mParentPlot->axisRect()->rect();
    std::vector<NotedPlace> places;
    for (const auto& [key, note] : m_places) {
        const double x = mParentPlot->xAxis->coordToPixel(key);
        if (x < chart.left() || x > chart.right())
            continue;
        if (!places.empty() && places.back().x == x)
            places.back().notes.push_back(&note);
        else
            places.push_back({x, chart.bottom(), {&note}});
    }
    painter->setFont(mParentPlot->font());
    paintNotes(*painter, chart, places);
}

void SeriesChart::setNotes(std::vector<NoteFlag> notes)
{
    m_notes = std::move(notes);
    placeNotes();
    refresh();
}

/// Each at the point whose line is nearest to its own.
void SeriesChart::placeNotes()
{
    std::vector<std::pair<double, double>> points; // line and place
    for (std::size_t i = 0; i < m_shown.size() && !m_notes.empty(); ++i) {
        const CounterSeries& series = m_trace->counters[m_shown[i]];
        for (std::size_t point = 0; point < series.points(); ++point)
            if (series.lineAt(point) > 0 && isPlaced(series, point))
                points.emplace_back(static_cast<double>(series.lineAt(point)), xOf(series, point));
    }
    std::ranges::sort(points);
    SeriesNotes::Places places;
    for (std::size_t i = 0; i < m_notes.size() && !points.empty(); ++i) {
        const double line = m_notes[i].first;
        auto nearest = std::ranges::lower_bound(points, line, {}, &std::pair<double, double>::first);
        const bool isBefore = nearest == points.end()
            || (nearest != points.begin() && line - std::prev(nearest)->first < nearest->first - line);
        places.emplace_back((isBefore ? std::prev(nearest) : nearest)->second, m_notes[i]);
    }
    std::ranges::stable_sort(places, {}, &SeriesNotes::Places::value_type::first);
    m_noteFlags->setPlaces(std::move(places));
}

} // namespace highwater::gui
