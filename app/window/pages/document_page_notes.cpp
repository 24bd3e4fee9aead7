#include <algorithm>

#include <QApplication>

#include "app/timeline/overview_strip.h"
#include "app/views/log/log_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"

// Notes on the page: showing them, adding them, and going to their places.

namespace highwater::gui {

void DocumentPage::connectNotes()
{
    connect(m_timeline, &TimelinePlot::noteRequested, this, &DocumentPage::noteRequested);
    connect(m_timeline, &TimelinePlot::noteClicked, this, &DocumentPage::noteClicked);
    connect(m_timeline, &TimelinePlot::noteMoved, this, &DocumentPage::noteMoved);
    connect(m_searchBar, &SearchBar::noteRequested, this, [this](int index) { emit noteSought(index + 1); });
    connect(m_panelTabs, &PanelTabs::noteRequested, this, &DocumentPage::noteRequested);
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
    m_searchBar->setNotes(notes);
    const std::vector<TimelineNote> placed = timelineNotes(notes, noteSubject());
    m_timeline->setNotes(placed);
    m_timeline->setChosenNote(chosenNumber);
    m_overview->setNotes(placed);
    for (AnalysisPanel* view : m_panelTabs->views())
        view->showNotes(notes, noteSubject());
    m_details->setNotes(
        [this, &notes](AllocationIndex allocation) { return notesOn(allocation, notes, noteSubject()); });
}

/// Returns a note on what was selected last. The row of a view counts if nothing was selected after it: a row
/// that highlights its allocations is a selection itself, one of the log is none.
Note DocumentPage::noteHere() const
{
    const QWidget* const focus = QApplication::focusWidget();
    const AnalysisPanel* const view = m_panelTabs->current();
    const Selection::Kind kind = m_selection.kind();
    const bool isRow
        = view == m_log || kind == Selection::Kind::Nothing || kind == Selection::Kind::Highlight;
    if (isRow && focus && view && view->isAncestorOf(focus) && !m_timeline->isPointedAt())
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
        if (any) {
            showTimeline(); // the highlight is in it
            m_bandView.setHighlighted(std::make_shared<const std::vector<bool>>(std::move(members)),
                toQString(siteLabel(site->site)));
        }
        return any;
    }
    const std::optional<EventRange> events = eventsOf(place, *m_analysis);
    if (!events)
        return false;
    if (std::holds_alternative<NotedRange>(place)) {
        zoomTo(events->first, events->last);
        m_selection.setRange(Selection::EventRange{events->first, events->last});
    } else if (const auto* step = std::get_if<NotedStep>(&place)) {
        zoomToStep(static_cast<std::size_t>(step->step));
    } else if (const auto* noted = std::get_if<NotedAllocation>(&place)) {
        showAllocation(allocationOf(*noted, m_analysis->allocations));
    } else {
        goToMoment(events->first); // an allocation that begins there would be chance
    }
    return true;
}

} // namespace highwater::gui
