#pragma once

#include <optional>
#include <utility>

#include <QObject>

#include "core/analysis/usage/allocations.h"

namespace highwater::gui {

/// The user's selection: a moment (the cursor), an allocation that a click pins, and a range, each
/// independent of the others; and what the mouse points at, which selects nothing.
class Selection : public QObject
{
    Q_OBJECT

public:
    static constexpr AllocationIndex kNone = AllocationTable::kNoAllocation;

    explicit Selection(QObject* parent = nullptr);

    /// The moment that all views show; they show the `keyMoment` of the run if none is chosen. It changes
    /// only when the user goes somewhere: pointing and pinning leave it.
    std::optional<std::int64_t> cursor() const { return m_cursor; }
    void setCursor(std::optional<std::int64_t> event);

    /// The event under the mouse, if it is on a timeline.
    std::optional<std::int64_t> pointed() const { return m_pointed; }
    void setPointed(std::optional<std::int64_t> event);
    /// The event to read figures at: under the mouse, else the moment.
    std::optional<std::int64_t> pointedOrCursor() const { return m_pointed ? m_pointed : m_cursor; }

    AllocationIndex hovered() const { return m_hovered; }
    AllocationIndex pinned() const { return m_pinned; }
    bool isPinned() const { return m_pinned != kNone; }
    /// The allocation in the details: the pinned one, else the hovered one.
    AllocationIndex shown() const { return isPinned() ? m_pinned : m_hovered; }

    void hover(AllocationIndex allocation);
    void pin(AllocationIndex allocation);
    void release() { pin(kNone); }
    /// Events [first, last) marked with the mouse, if any.
    using EventRange = std::pair<std::int64_t, std::int64_t>;
    const std::optional<EventRange>& range() const { return m_range; }
    void setRange(std::optional<EventRange> range);
    /// The events [first, last) in view; nullopt if unknown.
    const std::optional<EventRange>& view() const { return m_view; }
    void setView(std::optional<EventRange> view) { m_view = view; }

    /// Takes what the user chose in another selection: moment, pinned allocation and range.
    void take(const Selection& other);
    /// Forgets everything, for another device.
    void clear();

signals:
    void cursorChanged();
    void pointedChanged();
    /// The hovered or the pinned allocation changed.
    void shownChanged();
    void rangeChanged();

private:
    std::optional<std::int64_t> m_cursor;
    std::optional<std::int64_t> m_pointed;
    std::optional<EventRange> m_range;
    std::optional<EventRange> m_view;
    AllocationIndex m_hovered = kNone;
    AllocationIndex m_pinned = kNone;
};

} // namespace highwater::gui
