#include <algorithm>

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/highlight_chip.h"
#include "app/timeline/note_flags.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "app/workspace/theme/note_badge.h"

// Notes on the plot: the flag under the mouse, and the subjects of a new note.

namespace highwater::gui {

void TimelinePlot::setNotes(std::vector<TimelineNote> notes)
{
    m_notes->setNotes(std::move(notes));
    passOnTakenPlaces();
    replotLater();
}

void TimelinePlot::setChosenNote(int number)
{
    if (m_chosenNote == number)
        return;
    m_chosenNote = number;
    m_notes->setChosen(number);
    replotLater();
}

void TimelinePlot::setCovered(const QRectF& place)
{
    if (place == m_covered)
        return;
    m_covered = place;
    m_overlay->setCovered(place);
    passOnTakenPlaces();
    replotLater();
}

/// Passes on the rectangles that labels must not overlap: the flags, the chip and the covered part of the
/// plot.
void TimelinePlot::passOnTakenPlaces()
{
    std::vector<QRectF> taken;
    for (const NoteFlags::Flag& flag : m_notes->flags())
        taken.push_back(flag.rect);
    if (m_chip->isVisible())
        taken.emplace_back(m_chip->geometry());
    if (!m_covered.isEmpty())
        taken.push_back(m_covered);
    m_bands->setBlockedPlaces(taken);
    m_markers->setBlockedPlaces(std::move(taken));
}

/// On a flag that is shared by several notes, presses the note after the chosen one, so that repeated clicks
/// go through all of them.
void TimelinePlot::pressNote(const QPointF& position)
{
    const NoteFlags::Flag& flag = *m_notes->flagAt(position);
    std::vector<int> numbers;
    for (const NoteFlag* note : flag.notes)
        numbers.push_back(note->number);
    std::ranges::sort(numbers);
    const auto next = std::ranges::upper_bound(numbers, m_chosenNote);
    const bool holdsChosen = std::ranges::binary_search(numbers, m_chosenNote);
    const int number = holdsChosen && next != numbers.end() ? *next : numbers.front();
    m_notePress = NotePress{position, position.x() - flag.x, number, flag.canMove, std::nullopt};
}

void TimelinePlot::dragNote(const QPointF& position)
{
    const bool isDrag = m_notePress->movedTo
        || (position - m_notePress->at).manhattanLength() >= QApplication::startDragDistance();
    if (!m_notePress->canMove || !isDrag)
        return;
    const PlotArea plotArea = area();
    const double x
        = std::clamp(position.x() - m_notePress->grip, plotArea.rect.left(), plotArea.rect.right() - 1);
    const std::int64_t event = eventAt(plotArea.keyAt(x + 0.5));
    if (event == kNoState)
        return;
    setCursor(Qt::SizeHorCursor);
    m_notePress->movedTo = event;
    m_notes->setDragged(std::pair(m_notePress->number, event));
    passOnTakenPlaces();
    replotLater();
}

void TimelinePlot::releaseNote()
{
    const NotePress press = *m_notePress;
    m_notePress.reset();
    unsetCursor();
    if (press.movedTo)
        emit noteMoved(press.number, *press.movedTo);
    else
        emit noteClicked(press.number);
    m_notes->setDragged(std::nullopt);
    passOnTakenPlaces();
    replotLater();
}

bool TimelinePlot::showNoteTip(const QHelpEvent& event)
{
    const NoteFlags::Flag* const flag = m_notes->flagAt(event.pos());
    if (flag)
        QToolTip::showText(event.globalPos(), badgeOf(flag->notes).tip, this);
    else
        QToolTip::hideText();
    return flag != nullptr;
}

Note TimelinePlot::noteHere() const
{
    if (const auto& range = m_selection.range())
        return noteAt(NotedRange{range->first, range->second});
    const std::optional<std::int64_t> event
        = m_selection.cursor() ? m_selection.cursor() : m_selection.moment();
    return event ? noteAt(NotedMoment{*event}) : Note();
}

void TimelinePlot::contextMenuEvent(QContextMenuEvent* event)
{
    const QPointF position = event->pos();
    if (!m_analysis || !area().rect.contains(position))
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const NoteFlags::Flag* const flag = m_notes->flagAt(position))
        for (std::size_t i = 0; i < std::min<std::size_t>(flag->notes.size(), 10); ++i)
            menu->addAction(tr("Edit note %1").arg(flag->notes[i]->number), this,
                [this, number = flag->notes[i]->number] { emit noteClicked(number); });
    menu->addSeparator();
    addNoteActions(*menu, position);
    menu->addSeparator();
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

/// Adds commands for notes on the moment, the marked range, the allocation that is pinned or under the mouse,
/// its call site, and the step.
void TimelinePlot::addNoteActions(QMenu& menu, const QPointF& position)
{
    const auto add = [&](const QString& where, const NotePlace& place) {
        menu.addAction(tr("Add a note %1").arg(QString(where).replace(QLatin1Char('&'), QLatin1String("&&"))),
            this, [this, place] { emit noteRequested(noteAt(place)); });
    };
    const double key = area().keyAt(position.x() + 0.5);
    const std::int64_t event = eventAt(key);
    if (event == kNoState)
        return;
    add(tr("at %1").arg(eventText(event)), NotedMoment{event});
    if (const auto& range = m_selection.range())
        add(tr("on the marked range, %1").arg(eventRangeText(range->first, range->second)),
            NotedRange{range->first, range->second});
    const std::shared_ptr<const BandImage> shown = image();
    const AllocationIndex underMouse
        = shown ? shown->allocationAt(key, area().bytesAt(position.y() + 0.5)) : Selection::kNone;
    const AllocationIndex allocation = m_selection.isPinned() ? m_selection.pinned() : underMouse;
    if (allocation != Selection::kNone) {
        const CallSite& site = m_analysis->sites.site(m_analysis->sites.of(allocation));
        add(tr("on the %1 allocation of %2")
                .arg(m_selection.isPinned() ? tr("pinned") : tr("shown"),
                    bytesText(m_analysis->allocations.bytes(allocation))),
            notedAllocation(m_analysis->allocations, allocation));
        add(tr("on its call site, %1").arg(toQString(site.label)), NotedSite{site.key});
    }
    if (const auto step = m_analysis->steps.stepOf(std::max<std::int64_t>(0, event)))
        add(tr("on %1").arg(toQString(m_analysis->steps.steps[*step].name)),
            NotedStep{static_cast<std::int64_t>(*step)});
}

} // namespace highwater::gui
