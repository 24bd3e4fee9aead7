#pragma once

#include <optional>
#include <utility>

#include <QObject>

#include "core/analysis/usage/allocations.h"

namespace highwater::gui {

/// The user's selection: a moment (the cursor), an allocation that a click pins, and a range.
class Selection : public QObject
{
    Q_OBJECT

public:
    static constexpr AllocationIndex kNone = AllocationTable::kNoAllocation;

    explicit Selection(QObject* parent = nullptr);

    /// The event under the cursor, if there is a cursor.
    std::optional<std::int64_t> cursor() const { return m_cursor; }
    void setCursor(std::optional<std::int64_t> event);

    AllocationIndex hovered() const { return m_hovered; }
    AllocationIndex pinned() const { return m_pinned; }
    bool isPinned() const { return m_pinned != kNone; }
    /// The allocation in the details: the pinned one, else the hovered one.
    AllocationIndex shown() const { return isPinned() ? m_pinned : m_hovered; }
    /// The moment of "alive now": where the allocation was pinned, else the cursor.
    std::optional<std::int64_t> moment() const { return isPinned() ? m_pinnedAt : m_cursor; }

    void hover(AllocationIndex allocation);
    void pin(AllocationIndex allocation, std::optional<std::int64_t> event);
    void release() { pin(kNone, std::nullopt); }
    /// Events [first, last) marked with the mouse, if any.
    using EventRange = std::pair<std::int64_t, std::int64_t>;
    const std::optional<EventRange>& range() const { return m_range; }
    void setRange(std::optional<EventRange> range);
    /// The events [first, last) in view; nullopt if unknown. Sets of a range are about them without a range.
    const std::optional<EventRange>& view() const { return m_view; }
    void setView(std::optional<EventRange> view);

    /// Forgets everything, for another device.
    void clear();

signals:
    void cursorChanged();
    /// The hovered or the pinned allocation changed.
    void shownChanged();
    void rangeChanged();
    void viewChanged();

private:
    std::optional<std::int64_t> m_cursor;
    std::optional<std::int64_t> m_pinnedAt;
    std::optional<EventRange> m_range;
    std::optional<EventRange> m_view;
    AllocationIndex m_hovered = kNone;
    AllocationIndex m_pinned = kNone;
};

} // namespace highwater::gui
