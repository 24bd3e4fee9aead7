#include <algorithm>

#include <QApplication>

#include "app/timeline/overview_strip.h"
#include "app/views/log/log_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/pages/document_page.h"

// Notes on the page: showing them, adding them, and going to their places.

namespace highwater::gui {

void DocumentPage::connectNotes()
{
    connect(m_timeline, &TimelinePlot::noteRequested, this, &DocumentPage::noteRequested);
    connect(m_timeline, &TimelinePlot::noteClicked, this, &DocumentPage::noteClicked);
    connect(m_timeline, &TimelinePlot::noteMoved, this, &DocumentPage::noteMoved);
    connect(m_questions, &PanelTabs::noteRequested, this, &DocumentPage::noteRequested);
    connect(m_details, &DetailsPanel::noteRequested, this, &DocumentPage::noteRequested);
    connect(m_rangePanel, &RangePanel::noteRequested, this, &DocumentPage::noteRequested);
}

NoteSubject DocumentPage::noteSubject() const
{
    return {NoteRun::After, m_document, m_analysis};
}

std::vector<NoteSubject> DocumentPage::subjects() const
{
    return m_document ? std::vector{noteSubject()} : std::vector<NoteSubject>();
}

void DocumentPage::showNotes(const Notes& notes, int chosenNumber)
{
    if (!m_analysis)
        return;
    const std::vector<TimelineNote> placed = timelineNotes(notes, noteSubject());
    m_timeline->setNotes(placed);
    m_timeline->setChosenNote(chosenNumber);
    m_overview->setNotes(placed);
    for (AnalysisPanel* view : m_questions->views())
        view->showNotes(notes, noteSubject());
    m_details->setNotes(
        [this, &notes](AllocationIndex allocation) { return notesOn(allocation, notes, noteSubject()); });
}

/// Returns a note on the selected item of the view with the keyboard focus. If there is no such item, or the
/// mouse is over the timeline, the note is on the timeline.
Note DocumentPage::noteHere() const
{
    const QWidget* const focus = QApplication::focusWidget();
    const AnalysisPanel* const view = m_questions->current();
    if (focus && view && view->isAncestorOf(focus) && !m_timeline->isPointedAt())
        if (const std::optional<Note> note = view->noteHere())
            return *note;
    return m_timeline->noteHere();
}

bool DocumentPage::goTo(const Note& note)
{
    if (const auto* line = std::get_if<NotedLine>(&note.place)) {
        const bool isOpen = note.run == NoteRun::After && m_log->hasLog()
            && QString::fromStdString(note.file) == m_log->fileName();
        if (isOpen)
            goToLogLine(line->line);
        return isOpen;
    }
    const std::optional<DeviceIndex> device
        = isAboutFile(note, noteSubject()) ? deviceOf(note, *m_document) : std::nullopt;
    if (!device)
        return false;
    setDevice(*device);
    return goTo(note.place);
}

bool DocumentPage::goTo(const NotePlace& place)
{
    if (!m_analysis)
        return false;
    if (const auto* site = std::get_if<NotedSite>(&place)) {
        std::vector<bool> members = membersOf(*site, *m_analysis);
        const bool any = std::ranges::find(members, true) != members.end();
        if (any)
            m_bandView.setHighlighted(std::make_shared<const std::vector<bool>>(std::move(members)));
        return any;
    }
    const std::optional<EventRange> events = eventsOf(place, *m_analysis);
    if (!events)
        return false;
    if (std::holds_alternative<NotedRange>(place)) {
        zoomTo(events->first, events->last);
        m_selection.setRange(Selection::EventRange{events->first, events->last});
    } else if (const auto* step = std::get_if<NotedStep>(&place)) {
        zoomTo(events->first, events->last);
        m_timeline->ignoreMouseUntilMoved();
        m_selection.setCursor(m_analysis->steps.steps[static_cast<std::size_t>(step->step)].peakEvent);
    } else if (const auto* noted = std::get_if<NotedAllocation>(&place)) {
        showAllocation(allocationOf(*noted, m_analysis->allocations));
    } else {
        goTo(events->first);
    }
    return true;
}

} // namespace highwater::gui
