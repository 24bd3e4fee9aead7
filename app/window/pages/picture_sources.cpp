#include "app/window/pages/picture_sources.h"

#include "app/views/charts/flame_chart.h"
#include "app/views/charts/treemap_chart.h"
#include "app/views/compare/linked_timelines.h"
#include "app/views/log/series_chart.h"
#include "app/views/parts/picture_export.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/views/segments/address_map_view.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/timeline_sheet.h"

namespace highwater::gui {

namespace {

template <typename Chart>
void offerAll(QWidget& window)
{
    for (Chart* chart : window.findChildren<Chart*>())
        if (!chart->template findChild<QAction*>(QStringLiteral("savePicture"), Qt::FindDirectChildrenOnly))
            offerPicture(*chart, [chart](const PictureRoom&) { return pictureOf(*chart); });
}

} // namespace

void offerTimelinePicture(DocumentPage& page, const NoteList& notes)
{
    offerPicture(
        page.timeline(),
        [&page, &notes](const PictureRoom& room) { return timelinePicture(page, notes, room); }, true);
}

void offerOtherPictures(QWidget& window)
{
    offerAll<FlameChart>(window);
    offerAll<TreemapChart>(window);
    offerAll<SeriesChart>(window);
    offerAll<RankOverlay>(window);
    offerAll<AddressMapView>(window);
    for (LinkedTimelines* both : window.findChildren<LinkedTimelines*>()) {
        const PictureSource source = [both](const PictureRoom&) { return pictureOf(*both); };
        offerPicture(*both, source, true);
        for (TimelinePlot* plot : both->findChildren<TimelinePlot*>())
            offerPicture(*plot, source, true);
    }
    for (TimelinePlot* plot : window.findChildren<TimelinePlot*>())
        if (!plot->findChild<QAction*>(QStringLiteral("savePicture"), Qt::FindDirectChildrenOnly))
            offerPicture(
                *plot, [plot](const PictureRoom&) { return pictureOf(*plot); }, true);
}

} // namespace highwater::gui
