#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/analysis/usage/allocations.h"

namespace highwater::gui {

/// The user's selection: the only source for status bar, details, chip, highlight and new notes.
///
/// A moment (the cursor), a pinned allocation, a marked range or step, and highlighted allocations can be
/// selected at a time; `kind` is the one chosen last. What the mouse points at selects nothing. Some choices
/// end others, so that the parts of the screen agree: a moment outside the selected step and a marked range
/// end the step, a step ends the pin, and a pinned allocation and a highlight last together only while the
/// one belongs to the other.
class Selection : public QObject
{
    Q_OBJECT

public:
    static constexpr AllocationIndex kNone = AllocationTable::kNoAllocation;

    /// The kind of thing that was chosen last.
    enum class Kind
    {
        Nothing,
        Moment,
        Allocation,
        Step,
        Range,
        Highlight
    };
    /// Events [first, last).
    using EventRange = std::pair<std::int64_t, std::int64_t>;
    /// A flag for each allocation of a device, and what the flagged ones have in common; the name may be
    /// empty.
    struct Highlight
    {
        std::shared_ptr<const std::vector<bool>> members; ///< null if nothing is highlighted
        QString name;
        bool operator==(const Highlight&) const = default;
    };
    /// Everything that Esc ends, one thing at a time.
    struct State
    {
        std::optional<std::int64_t> cursor;
        std::optional<EventRange> range;
        QString rangeName; ///< "generation"; empty for events that were marked, and for a step
        std::optional<std::size_t> step; ///< selected as a whole
        std::optional<EventRange> stepEvents; ///< events of `step`
        AllocationIndex pinned = kNone;
        Highlight highlight;
        std::vector<Kind> order; ///< what is selected, the newest last
        bool operator==(const State&) const = default;
    };

    explicit Selection(QObject* parent = nullptr);

    /// Returns the selected thing; of several the one chosen last.
    Kind kind() const { return m_state.order.empty() ? Kind::Nothing : m_state.order.back(); }
    /// Returns the thing that details and status bar describe: the one that was chosen last, but a pinned
    /// allocation before the moment, which may move while it is pinned.
    Kind subject() const { return kind() == Kind::Moment && isPinned() ? Kind::Allocation : kind(); }
    /// Returns the selection as a whole, to come back to it.
    const State& state() const { return m_state; }
    void restore(const State& state) { apply(state); }

    /// Returns the moment that all views show; they show the `keyMoment` of the run if none is chosen. It
    /// changes only when the user goes somewhere: pointing and pinning leave it.
    std::optional<std::int64_t> cursor() const { return m_state.cursor; }
    void setCursor(std::optional<std::int64_t> event);

    /// Returns the event under the mouse, if it is on a timeline.
    std::optional<std::int64_t> pointed() const { return m_pointed; }
    void setPointed(std::optional<std::int64_t> event);
    /// Returns the event under the mouse, else the cursor.
    std::optional<std::int64_t> pointedOrCursor() const { return m_pointed ? m_pointed : m_state.cursor; }

    AllocationIndex hovered() const { return m_hovered; }
    AllocationIndex pinned() const { return m_state.pinned; }
    bool isPinned() const { return m_state.pinned != kNone; }
    /// True once anything was pinned, as by a user who knows how.
    bool wasEverPinned() const { return m_everPinned; }
    /// Returns the allocation in the details: the pinned one, else the hovered one.
    AllocationIndex shown() const { return isPinned() ? m_state.pinned : m_hovered; }

    void hover(AllocationIndex allocation);
    /// Pins an allocation, and ends a highlight that lacks it; kNone ends the pin.
    void pin(AllocationIndex allocation);
    void release() { pin(kNone); }
    /// Returns the events marked as a range or with a step, if any.
    const std::optional<EventRange>& range() const { return m_state.range; }
    const QString& rangeName() const { return m_state.rangeName; }
    /// Marks a range, or ends it; also ends a selected step.
    void setRange(std::optional<EventRange> range, const QString& name = {});
    /// Returns the step that was selected as a whole, if any.
    const std::optional<std::size_t>& step() const { return m_state.step; }
    /// Selects a step, whose events these are, and marks them as a range: the cursor goes to its peak, and
    /// nothing stays pinned.
    void selectStep(std::size_t step, std::int64_t peakEvent, const EventRange& events);
    const Highlight& highlight() const { return m_state.highlight; }
    /// Highlights allocations; null members end the highlight. Does nothing if it is unchanged.
    void setHighlight(Highlight highlight);
    /// Returns the events [first, last) in view; nullopt if unknown.
    const std::optional<EventRange>& view() const { return m_view; }
    void setView(std::optional<EventRange> view) { m_view = view; }

    /// Ends one thing: the newer of pinned allocation and highlight; without these, the newest of the others.
    /// A step ends with its moment.
    void releaseInnermost();
    /// Ends everything that is selected. The mouse may still point at something.
    void deselect() { apply({}); }
    /// Forgets everything but the events in view and `wasEverPinned`, for another device.
    void clear();

signals:
    /// Any of the selected things changed, or which is the newest.
    void chosenChanged();
    void cursorChanged();
    void pointedChanged();
    /// The hovered or the pinned allocation changed.
    void shownChanged();
    void rangeChanged();
    void highlightChanged();

private:
    void apply(State state);

    State m_state;
    bool m_everPinned = false;
    std::optional<std::int64_t> m_pointed;
    std::optional<EventRange> m_view;
    AllocationIndex m_hovered = kNone;
};

} // namespace highwater::gui
