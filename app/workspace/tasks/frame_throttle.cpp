#include "app/workspace/tasks/frame_throttle.h"

namespace highwater::gui {

FrameThrottle::FrameThrottle(std::function<void()> action, QObject* parent)
    : QObject(parent)
    , m_action(std::move(action))
{
    m_frame.setSingleShot(true);
    m_frame.setInterval(kFrameMilliseconds);
    connect(&m_frame, &QTimer::timeout, this, &FrameThrottle::flush);
}

void FrameThrottle::request()
{
    if (m_frame.isActive())
        m_waiting = true;
    else
        perform();
}

void FrameThrottle::flush()
{
    if (m_waiting)
        perform();
}

void FrameThrottle::perform()
{
    m_waiting = false;
    m_action();
    m_frame.start(); // started after the action: slow work never repeats without a pause
}

} // namespace highwater::gui
