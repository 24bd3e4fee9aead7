#include <algorithm>

#include <QApplication>
#include <QComboBox>

#include "app/views/compare/diff_table.h"
#include "app/window/pages/compare_page.h"

// Notes on two runs: showing them, adding them, and going to their places and to the births of rows.

namespace highwater::gui {

namespace {

LinkedTimelines::Side sideOf(NoteRun run)
{
    return run == NoteRun::Before ? LinkedTimelines::Before : LinkedTimelines::After;
}

} // namespace

/// Returns the run of the notes on a side (`LinkedTimelines::Side`). A single run is `After` on both.
NoteRun ComparePage::runOf(int side) const
{
    const bool isEarlierRun = side == LinkedTimelines::Before && subjects().size() > 1;
    return isEarlierRun ? NoteRun::Before : NoteRun::After;
}

void ComparePage::connectNotes()
{
    connect(m_timelines, &LinkedTimelines::noteRequested, this, [this](int side, const Note& draft) {
        Note note = draft;
        note.run = runOf(side);
        emit noteRequested(note);
    });
    connect(m_timelines, &LinkedTimelines::noteClicked, this, &ComparePage::noteClicked);
    connect(m_timelines, &LinkedTimelines::noteMoved, this, &ComparePage::noteMoved);
    connect(m_rows, &DiffTable::noteRequested, this, &ComparePage::noteRequested);
}

std::vector<NoteSubject> ComparePage::subjects() const
{
    const std::shared_ptr<const Document>& before = m_state.before().document;
    const std::shared_ptr<const Document>& after = m_state.after().document;
    if (!before || !after)
        return {};
    const std::shared_ptr<const Comparison>& comparison = m_state.comparison();
    const bool isCompared
        = comparison && comparison->before.document == before && comparison->after.document == after;
    const NoteSubject later{NoteRun::After, after, isCompared ? comparison->after.analysis : nullptr};
    if (m_state.before() == m_state.after()) // a note on a step is then found in the run, too
        return {later};
    return {{NoteRun::Before, before, isCompared ? comparison->before.analysis : nullptr}, later};
}

void ComparePage::showNotes(const Notes& notes, int chosenNumber)
{
    const std::vector<NoteSubject> runs = subjects();
    for (const LinkedTimelines::Side side : {LinkedTimelines::Before, LinkedTimelines::After}) {
        if (runs.empty())
            break;
        TimelinePlot& plot = m_timelines->plot(side);
        plot.setNotes(timelineNotes(notes, side == LinkedTimelines::Before ? runs.front() : runs.back()));
        plot.setChosenNote(chosenNumber);
    }
    m_rows->setNotes(rowNotes(notes));
}

/// Returns a note on the row with the keyboard focus, else on the run whose timeline the mouse was over last;
/// with two steps of one run and nothing pointed at, a note on the later step.
Note ComparePage::noteHere() const
{
    const QWidget* const focus = QApplication::focusWidget();
    const bool isPointedAt = m_timelines->plot(LinkedTimelines::Before).isPointedAt()
        || m_timelines->plot(LinkedTimelines::After).isPointedAt();
    if (focus && m_rows->isAncestorOf(focus) && !isPointedAt)
        if (const std::optional<Note> note = m_rows->noteHere())
            return *note;
    Note note = m_timelines->plot(m_timelines->lastSide()).noteHere();
    note.run = runOf(m_timelines->lastSide());
    if (isOfTwoSteps() && std::holds_alternative<std::monostate>(note.place)) {
        const std::int64_t event = m_state.moments().afterEvent;
        const std::optional<std::size_t> step = m_state.comparison()->after.analysis->steps.stepOf(event);
        note.place
            = step ? NotePlace(NotedStep{static_cast<std::int64_t>(*step)}) : NotePlace(NotedMoment{event});
    }
    return note;
}

bool ComparePage::goTo(const Note& note)
{
    const std::vector<NoteSubject> runs = subjects();
    if (runs.empty() || !runs.front().analysis)
        return false;
    const NoteSubject& subject = note.run == NoteRun::Before ? runs.front() : runs.back();
    const bool isOnRow = std::holds_alternative<NotedRow>(note.place);
    return (isOnRow || isAbout(note, subject)) && goTo(note.run, note.place);
}

bool ComparePage::goTo(NoteRun run, const NotePlace& place)
{
    if (const auto* row = std::get_if<NotedRow>(&place))
        return chooseRow(row->group, row->key);
    if (const auto* site = std::get_if<NotedSite>(&place))
        return chooseRow(std::string(toText(GroupKey::Site)), site->site);
    const Comparison& comparison = *m_state.comparison();
    const DeviceAnalysis& analysis
        = *(run == NoteRun::Before ? comparison.before : comparison.after).analysis;
    const std::optional<EventRange> events = eventsOf(place, analysis);
    if (!events)
        return false;
    const StepTable& steps = analysis.steps;
    const bool isInEarlierStep
        = isOfTwoSteps() && steps.stepOf(events->first) == steps.stepOf(m_state.moments().beforeEvent);
    const LinkedTimelines::Side side = isInEarlierStep ? LinkedTimelines::Before : sideOf(run);
    const bool isRange = std::holds_alternative<NotedRange>(place);
    if (isRange || std::holds_alternative<NotedStep>(place))
        m_timelines->showEvents(side, events->first, events->last);
    else
        m_timelines->centre(side, events->first);
    if (isRange)
        m_timelines->selection(side).setRange(Selection::EventRange{events->first, events->last});
    if (const auto* noted = std::get_if<NotedAllocation>(&place))
        m_timelines->selection(side).pin(allocationOf(*noted, analysis.allocations));
    return true;
}

void ComparePage::goToBirth(std::uint32_t row)
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    if (!diff || row >= diff->diff.rows.size())
        return;
    const auto birthOf = [](const std::optional<MomentDiff::Origin>& origin) {
        return origin ? std::optional(origin->birth) : std::nullopt;
    };
    m_state.selectRows({row});
    rememberView();
    m_timelines->goToEvents({birthOf(diff->beforeOrigin(row)), birthOf(diff->afterOrigin(row))});
    emit statusChanged();
}

bool ComparePage::chooseRow(const std::string& group, const std::string& key)
{
    const std::optional<GroupKey> wanted = groupKeyFromText(group);
    const int choice = wanted ? m_group->findData(static_cast<int>(*wanted)) : -1;
    if (choice < 0)
        return false;
    m_group->setCurrentIndex(choice);
    m_wantedRow = key;
    m_state.setGroup(*wanted);
    return chooseWantedRow();
}

/// Selects the wanted row if the rows are grouped as it needs; otherwise it stays wanted. Returns false if
/// there is no such row.
bool ComparePage::chooseWantedRow()
{
    const std::shared_ptr<const MomentDiff>& diff = m_state.diff();
    if (!m_wantedRow || !diff || diff->group != m_state.group())
        return true;
    const std::string key = *std::exchange(m_wantedRow, std::nullopt);
    const auto found = std::ranges::find_if(
        diff->diff.rows, [&](const DiffRow& row) { return row.key == key || row.beforeKey == key; });
    if (found == diff->diff.rows.end())
        return false;
    m_state.selectRows({static_cast<std::uint32_t>(found - diff->diff.rows.begin())});
    return true;
}

} // namespace highwater::gui
