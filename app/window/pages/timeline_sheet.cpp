#include "app/window/pages/timeline_sheet.h"

#include <algorithm>
#include <memory>

#include <QPalette>
#include <QWidget>

#include "app/timeline/fix_overlay.h"
#include "app/timeline/lane_strip.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/parts/arrange.h"
#include "app/views/picture/widget_painting.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

namespace {

/// The timeline with lanes and legend. It shares visible range and bands with the page, and takes what is
/// selected there, but not what the mouse points at.
class TimelineSheet : public QWidget
{
public:
    TimelineSheet(DocumentPage& page, const NoteList& notes, const PictureRoom& room)
        : m_lanes(new LaneStrip(page.range(), this))
        , m_timeline(new TimelinePlot(page.range(), m_selection, page.bandView(), this))
        , m_legend(new LegendBar(m_selection, page.bandView(), this))
    {
        // Shown to no one: but only a shown widget is laid out and gets its events.
        setAttribute(Qt::WA_DontShowOnScreen);
        setAttribute(Qt::WA_QuitOnClose, false);
        layColumn(this, {m_lanes, {m_timeline, 1}, m_legend});
        setColors(room.isOnWhite ? ThemeColors::light() : page.colors());
        connect(m_timeline, &TimelinePlot::plotEdgesChanged, m_lanes, &LaneStrip::setEdges);
        m_lanes->showLike(page.lanes());
        resize((room.size.isEmpty() ? sizeOnScreen(page) : room.size).toSize());
        QWidget::show();
        showTimeline(page, notes);
        m_timeline->renderNow(room.pixelRatio);
    }

private:
    void setColors(const ThemeColors& colors)
    {
        QPalette ink = palette();
        ink.setColor(QPalette::Window, colors.surface);
        ink.setColor(QPalette::Base, colors.surface);
        ink.setColor(QPalette::WindowText, colors.text);
        ink.setColor(QPalette::Text, colors.text);
        setPalette(ink);
        m_lanes->setColors(colors);
        m_timeline->setColors(colors);
        m_legend->setColors(colors);
    }

    void showTimeline(DocumentPage& page, const NoteList& notes)
    {
        m_timeline->showAuxiliarySources(page.auxiliarySources());
        m_timeline->markers().setCapacity(page.capacity());
        m_timeline->markers().setPeakSoFarShown(page.timeline().markers().isPeakSoFarShown());
        m_timeline->show(page.analysis(), page.axis());
        m_timeline->showFix(page.timeline().fix().shown());
        m_timeline->setNotes(timelineNotes(notes.notes(), page.noteSubject()));
        m_selection.restore(page.selection().state());
        m_legend->follow();
    }

    /// Returns the size of the timeline on screen, or a usable one while a view is expanded over it.
    QSizeF sizeOnScreen(DocumentPage& page) const
    {
        constexpr int least = 300;
        const int below = m_lanes->sizeHint().height() + m_legend->sizeHint().height();
        return {static_cast<double>(std::max(page.timeline().width(), m_timeline->sizeHint().width() / 2)),
            static_cast<double>(std::max(page.timeline().height(), least) + below)};
    }

    Selection m_selection;
    LaneStrip* m_lanes;
    TimelinePlot* m_timeline;
    LegendBar* m_legend;
};

} // namespace

Picture timelinePicture(DocumentPage& page, const NoteList& notes, const PictureRoom& room)
{
    if (!page.analysis())
        return {};
    const auto sheet = std::make_shared<TimelineSheet>(page, notes, room);
    return {QSizeF(sheet->size()), [sheet](QPainter& painter) { paintWidget(painter, *sheet); }};
}

} // namespace highwater::gui
