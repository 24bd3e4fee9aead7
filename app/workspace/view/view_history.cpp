#include "app/workspace/view/view_history.h"

#include <utility>

namespace highwater::gui {

ViewHistory::ViewHistory(const VisibleRange& range, QObject* parent, std::chrono::milliseconds stay)
    : QObject(parent)
    , m_range(range)
{
    m_stayTimer.setSingleShot(true);
    m_stayTimer.setInterval(stay);
    connect(&m_stayTimer, &QTimer::timeout, this, &ViewHistory::enterPending);
    connect(&m_range, &VisibleRange::changed, this, &ViewHistory::followRange);
}

View ViewHistory::current() const
{
    const AxisWindow& x = m_range.x();
    const AxisWindow& y = m_range.y();
    return {x.begin, x.end, y.begin, y.end, m_axis, m_device, m_highlight, m_highlightName};
}

void ViewHistory::restart(AxisKind axis, DeviceIndex device)
{
    m_stayTimer.stop();
    m_pending = false;
    m_axis = axis;
    m_device = device;
    m_highlight.reset();
    m_entries.assign(1, current());
    m_currentEntry = 0;
    emit changed();
}

void ViewHistory::setSubject(AxisKind axis, DeviceIndex device)
{
    if (!m_restoring)
        enterPending();
    m_axis = axis;
    m_device = device;
}

void ViewHistory::setHighlight(std::shared_ptr<const std::vector<bool>> highlight, const QString& name)
{
    if (highlight == m_highlight)
        return;
    if (!m_restoring)
        enterPending();
    m_highlight = std::move(highlight);
    m_highlightName = name;
    followRange();
}

void ViewHistory::followRange()
{
    // Before the first document there is nothing to return to.
    if (m_restoring || m_entries.empty())
        return;
    const bool hasMoved = current() != m_entries[m_currentEntry];
    if (hasMoved)
        m_stayTimer.start();
    else
        m_stayTimer.stop();
    if (std::exchange(m_pending, hasMoved) != hasMoved)
        emit changed();
}

void ViewHistory::enterPending()
{
    m_stayTimer.stop();
    if (std::exchange(m_pending, false))
        addEntry(current());
}

void ViewHistory::addEntry(const View& view)
{
    m_entries.resize(m_currentEntry + 1);
    m_entries.push_back(view);
    if (m_entries.size() > kMaxEntries)
        m_entries.erase(m_entries.begin());
    m_currentEntry = m_entries.size() - 1;
    emit changed();
}

void ViewHistory::back()
{
    enterPending();
    if (canGoBack())
        goTo(m_currentEntry - 1);
}

void ViewHistory::forward()
{
    if (canGoForward())
        goTo(m_currentEntry + 1);
}

void ViewHistory::goTo(std::size_t entry)
{
    m_currentEntry = entry;
    const View view = m_entries[m_currentEntry];
    m_restoring = true;
    emit restore(view);
    m_restoring = false;
    emit changed();
}

} // namespace highwater::gui
