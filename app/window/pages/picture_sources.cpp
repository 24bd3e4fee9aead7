#include "app/window/pages/picture_sources.h"

#include <algorithm>

#include <QApplication>
#include <QPalette>

#include "app/views/charts/flame_chart.h"
#include "app/views/charts/treemap_chart.h"
#include "app/views/log/series_chart.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/picture_export.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/views/segments/address_map_view.h"
#include "app/views/segments/segments_view.h"
#include "app/views/steps/step_chart.h"
#include "app/views/steps/steps_view.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/segments/segments_figure.h"
#include "core/figure/steps_figure.h"
#include "core/figure/timeline_figure.h"
#include "core/report/input/note_places.h"

namespace highwater::gui {

namespace {

/// Minimum size of saved pictures: their titles need room.
constexpr QSize kSmallestPicture(900, 500);

FigureOptions sheetFor(const QWidget& view, const Document& document)
{
    const QSize size = view.size().expandedTo(kSmallestPicture);
    FigureOptions options;
    options.width = size.width();
    options.height = size.height();
    options.dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    options.source = toQString(document.fileName()).toStdString();
    return options;
}

/// Returns the events in view; if that is all of them, also the moment before the first.
EventRange visibleEvents(DocumentPage& page)
{
    const EventScale& scale = page.analysis()->scale(page.axis());
    const AxisWindow& x = page.range().x();
    if (x.isWhole())
        return {-1, scale.eventCount()};
    const std::int64_t first = std::max<std::int64_t>(0, scale.eventAt(x.begin));
    return {first, std::max(first + 1, scale.firstEventFrom(x.end))};
}

NotedDevice notedDevice(const DocumentPage& page)
{
    return {page.analysis()->study, page.document()->fileName(), page.noteSubject().run};
}

Figure timelineOf(DocumentPage& page, const NoteList& notes)
{
    TimelineExtras extras;
    extras.capacity = page.capacity();
    extras.flags = eventFlags(notes.notes(), notedDevice(page));
    return timelineFigure(page.analysis()->study, visibleEvents(page),
        sheetFor(page.timeline(), *page.document()), stackedByFromText(toText(page.bandView().mode())),
        extras);
}

} // namespace

void offerPictures(DocumentPage& page, const NoteList& notes)
{
    const auto offer = [&page](QWidget& view, auto draw, bool hasMenu = false) {
        offerPicture(
            view, [&page, draw] { return page.analysis() ? Picture(draw()) : Picture(); }, hasMenu);
    };
    offer(
        page.timeline(), [&page, &notes] { return timelineOf(page, notes); }, true);
    StepChart& steps = page.questions().findChild<StepsView*>()->chart();
    steps.setPicture([&page, &steps, &notes] {
        return page.analysis() ? stepsFigure(page.analysis()->study, sheetFor(steps, *page.document()),
                   stepFlags(notes.notes(), notedDevice(page)))
                               : Figure();
    });
    auto* segments = page.questions().findChild<SegmentsView*>();
    offerPicture(segments->map(), [&page, segments] {
        if (!page.analysis() || !segments->moment())
            return Picture();
        return Picture(segmentsFigure(page.analysis()->study, segments->moment()->state.event,
            sheetFor(segments->map(), *page.document())));
    });
}

namespace {

template <typename Chart>
void offerAll(QWidget& window)
{
    for (Chart* chart : window.findChildren<Chart*>())
        if (!chart->template findChild<QAction*>(QStringLiteral("savePicture"), Qt::FindDirectChildrenOnly))
            offerPicture(*chart, [chart] { return pictureOf(*chart); });
}

} // namespace

void offerOtherPictures(QWidget& window)
{
    offerAll<FlameChart>(window);
    offerAll<TreemapChart>(window);
    offerAll<SeriesChart>(window);
    offerAll<RankOverlay>(window);
    for (TimelinePlot* plot : window.findChildren<TimelinePlot*>())
        if (!plot->findChild<QAction*>(QStringLiteral("savePicture"), Qt::FindDirectChildrenOnly))
            offerPicture(
                *plot, [plot] { return pictureOf(*plot); }, true);
}

} // namespace highwater::gui
