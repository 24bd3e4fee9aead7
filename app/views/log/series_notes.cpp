#include "app/views/log/series_notes.h"

#include "app/workspace/theme/note_badge.h"

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

} // namespace highwater::gui
