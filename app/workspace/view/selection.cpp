#include "app/workspace/view/selection.h"

#include <algorithm>
#include <utility>

namespace highwater::gui {

namespace {

/// Makes this kind the newest.
void chooseKind(Selection::State& state, Selection::Kind kind)
{
    std::erase(state.order, kind);
    state.order.push_back(kind);
}

void endKind(Selection::State& state, Selection::Kind kind)
{
    std::erase(state.order, kind);
}

void endHighlight(Selection::State& state)
{
    state.highlight = {};
    endKind(state, Selection::Kind::Highlight);
}

void endPin(Selection::State& state)
{
    state.pinned = Selection::kNone;
    endKind(state, Selection::Kind::Allocation);
}

/// Ends the selected step, and its mark.
void endStep(Selection::State& state)
{
    if (state.range == state.stepEvents)
        state.range.reset();
    state.step.reset();
    state.stepEvents.reset();
    endKind(state, Selection::Kind::Step);
}

void endRange(Selection::State& state)
{
    state.range.reset();
    state.rangeName.clear();
    endKind(state, Selection::Kind::Range);
}

/// Ends the cursor, and the step that it is in.
void endMoment(Selection::State& state)
{
    state.cursor.reset();
    endStep(state);
    endKind(state, Selection::Kind::Moment);
}

/// True if the allocation is highlighted; there must be a highlight.
bool holds(const Selection::Highlight& highlight, AllocationIndex allocation)
{
    return allocation < highlight.members->size() && (*highlight.members)[allocation];
}

} // namespace

Selection::Selection(QObject* parent)
    : QObject(parent)
{
}

void Selection::setCursor(std::optional<std::int64_t> event)
{
    State next = m_state;
    next.cursor = event;
    if (event)
        chooseKind(next, Kind::Moment);
    else
        endKind(next, Kind::Moment);
    if (event && next.step && (*event < next.stepEvents->first - 1 || *event >= next.stepEvents->second))
        endStep(next);
    apply(std::move(next));
}

void Selection::setPointed(std::optional<std::int64_t> event)
{
    if (m_pointed == event)
        return;
    m_pointed = event;
    emit pointedChanged();
}

void Selection::hover(AllocationIndex allocation)
{
    if (m_hovered == allocation)
        return;
    m_hovered = allocation;
    emit shownChanged();
}

void Selection::pin(AllocationIndex allocation)
{
    State next = m_state;
    if (allocation == kNone) {
        endPin(next);
    } else {
        next.pinned = allocation;
        m_everPinned = true;
        chooseKind(next, Kind::Allocation);
        if (next.highlight.members && !holds(next.highlight, allocation))
            endHighlight(next);
    }
    apply(std::move(next));
}

void Selection::setRange(std::optional<EventRange> range, const QString& name)
{
    State next = m_state;
    endStep(next);
    endRange(next);
    next.range = range;
    next.rangeName = name;
    if (range)
        chooseKind(next, Kind::Range);
    apply(std::move(next));
}

void Selection::selectStep(std::size_t step, std::int64_t peakEvent, const EventRange& events)
{
    State next = m_state;
    endPin(next);
    endStep(next);
    endRange(next);
    next.step = step;
    next.stepEvents = events;
    next.range = events;
    next.cursor = peakEvent;
    chooseKind(next, Kind::Moment);
    chooseKind(next, Kind::Step);
    apply(std::move(next));
}

void Selection::setHighlight(Highlight highlight)
{
    if (highlight == m_state.highlight)
        return;
    State next = m_state;
    if (!highlight.members) {
        endHighlight(next);
    } else {
        next.highlight = std::move(highlight);
        chooseKind(next, Kind::Highlight);
        if (next.pinned != kNone && !holds(next.highlight, next.pinned))
            endPin(next);
    }
    apply(std::move(next));
}

void Selection::releaseInnermost()
{
    State next = m_state;
    const auto inner = std::find_if(next.order.rbegin(), next.order.rend(),
        [](Kind kind) { return kind == Kind::Allocation || kind == Kind::Highlight; });
    switch (inner == next.order.rend() ? kind() : *inner) {
    case Kind::Nothing: break;
    case Kind::Allocation: endPin(next); break;
    case Kind::Highlight: endHighlight(next); break;
    case Kind::Range: endRange(next); break;
    case Kind::Step:
    case Kind::Moment: endMoment(next); break;
    }
    apply(std::move(next));
}

/// Reports what differs, once everything has changed.
void Selection::apply(State state)
{
    if (state == m_state)
        return;
    const State before = std::exchange(m_state, std::move(state));
    if (before.highlight != m_state.highlight)
        emit highlightChanged();
    if (before.range != m_state.range || before.rangeName != m_state.rangeName)
        emit rangeChanged();
    if (before.cursor != m_state.cursor)
        emit cursorChanged();
    if (before.pinned != m_state.pinned)
        emit shownChanged();
    emit chosenChanged();
}

void Selection::clear()
{
    m_pointed.reset();
    m_hovered = kNone;
    deselect();
    emit cursorChanged();
    emit pointedChanged();
    emit shownChanged();
}

} // namespace highwater::gui
