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
    if (m_pinned == allocation)
        return;
    m_pinned = allocation;
    emit shownChanged();
}

void Selection::setRange(std::optional<EventRange> range)
{
    if (m_range == range)
        return;
    m_range = range;
    emit rangeChanged();
}

void Selection::take(const Selection& other)
{
    setCursor(other.m_cursor);
    setRange(other.m_range);
    pin(other.m_pinned);
}

void Selection::clear()
{
    setRange(std::nullopt);
    m_cursor.reset();
    m_pointed.reset();
    m_hovered = kNone;
    m_pinned = kNone;
    emit cursorChanged();
    emit pointedChanged();
    emit shownChanged();
}

} // namespace highwater::gui
