#include <algorithm>
#include <cmath>
#include <iterator>

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/fix_overlay.h"
#include "app/timeline/highlight_chip.h"
#include "app/timeline/note_flags.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/workspace/theme/note_badge.h"

// Notes on the plot: the flag under the mouse and the place of a new note; also what labels keep off.

namespace highwater::gui {

namespace {

/// Returns the call site of these allocations if all have the same. O(allocations).
std::optional<SiteId> onlySite(const DeviceAnalysis& analysis, const std::vector<bool>& members)
{
    std::optional<SiteId> site;
    for (AllocationIndex i = 0; i < members.size(); ++i) {
        if (!members[i])
            continue;
        if (site && *site != analysis.sites.of(i))
            return std::nullopt;
        site = analysis.sites.of(i);
    }
    return site;
}

} // namespace

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

/// Passes on the rectangles that labels must not overlap: the flags, also with the frame of a chosen one, and
/// the chip; for the labels of bands also the line of a fix, and for the labels above the data the lines of
/// the flags.
void TimelinePlot::passOnTakenPlaces()
{
    constexpr double frame = 2;
    std::vector<QRectF> taken;
    for (const NoteFlags::Flag& flag : m_notes->flags())
        taken.push_back(flag.rect.adjusted(-frame, -frame, frame, frame));
    if (m_chip->isVisible())
        taken.emplace_back(m_chip->geometry());
    std::vector<QRectF> takenOnBands = boxesAround(m_fix->line(), area().rect);
    std::ranges::copy(taken, std::back_inserter(takenOnBands));
    m_bands->setBlockedPlaces(std::move(takenOnBands));
    if (m_notes->flags().size() <= NoteFlags::kMaxPoles)
        for (const NoteFlags::Flag& flag : m_notes->flags())
            taken.emplace_back(std::floor(flag.x), area().rect.top(), 1, area().rect.height());
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
        || (position - m_notePress->start).manhattanLength() >= QApplication::startDragDistance();
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

/// Shows the tool tip of a note, or says what a click on the axis does.
bool TimelinePlot::showTip(const QHelpEvent& event)
{
    const NoteFlags::Flag* const flag = m_notes->flagAt(event.pos());
    if (!flag && !isOnAxis(event.pos())) {
        QToolTip::hideText();
        return false;
    }
    QToolTip::showText(event.globalPos(),
        flag ? badgeOf(flag->notes).tip : tr("Click or drag to set the moment that all views show"), this);
    return true;
}

Note TimelinePlot::noteHere() const
{
    switch (m_selection.kind()) {
    case Selection::Kind::Allocation:
        return noteAt(notedAllocation(m_analysis->allocations, m_selection.pinned()));
    case Selection::Kind::Step: return noteAt(NotedStep{static_cast<std::int64_t>(*m_selection.step())});
    case Selection::Kind::Range:
        return noteAt(NotedRange{m_selection.range()->first, m_selection.range()->second});
    case Selection::Kind::Moment: return noteAt(NotedMoment{*m_selection.cursor()});
    case Selection::Kind::Highlight:
        if (const std::optional<SiteId> site = onlySite(*m_analysis, *m_selection.highlight().members))
            return noteAt(NotedSite{m_analysis->sites.site(*site).key});
        break;
    case Selection::Kind::Nothing: break;
    }
    const std::optional<std::int64_t> event = m_selection.pointedOrCursor();
    return event ? noteAt(NotedMoment{*event}) : Note();
}

void TimelinePlot::showFix(const std::shared_ptr<const FixedRun>& fixed)
{
    if (fixed == m_fix->shown())
        return;
    m_fix->show(fixed);
    passOnTakenPlaces();
    replotLater();
}

} // namespace highwater::gui
