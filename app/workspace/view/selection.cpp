#include "app/workspace/view/selection.h"

namespace highwater::gui {

Selection::Selection(QObject* parent)
    : QObject(parent)
{
}

void Selection::setCursor(std::optional<std::int64_t> event)
{
    if (m_cursor == event)
        return;
    m_cursor = event;
    emit cursorChanged();
}

void Selection::hover(AllocationIndex allocation)
{
    if (m_hovered == allocation)
        return;
    m_hovered = allocation;
    emit shownChanged();
}

void Selection::pin(AllocationIndex allocation, std::optional<std::int64_t> event)
{
    if (m_pinned == allocation && m_pinnedAt == event)
        return;
    m_pinned = allocation;
    m_pinnedAt = allocation == kNone ? std::nullopt : event;
    emit shownChanged();
}

void Selection::setRange(std::optional<EventRange> range)
{
    if (m_range == range)
        return;
    m_range = range;
    emit rangeChanged();
}

void Selection::setView(std::optional<EventRange> view)
{
    if (m_view == view)
        return;
    m_view = view;
    emit viewChanged();
}

void Selection::clear()
{
    setRange(std::nullopt);
    m_cursor.reset();
    m_pinnedAt.reset();
    m_hovered = kNone;
    m_pinned = kNone;
    emit cursorChanged();
    emit shownChanged();
}

} // namespace highwater::gui
