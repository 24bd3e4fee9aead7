#pragma once

#include <functional>

#include <QObject>
#include <QTimer>

namespace highwater::gui {

/// Does something at most once in a display frame, however often it is asked for: at once when it has not
/// been done for a while, else at the end of the frame. For panels that follow the mouse, which moves far
/// more often than anyone can read.
class FrameThrottle : public QObject
{
    Q_OBJECT

public:
    static constexpr int kFrameMilliseconds = 16;

    explicit FrameThrottle(std::function<void()> action, QObject* parent = nullptr);

    void request();
    /// Does now what is still to be done.
    void flush();

private:
    void perform();

    std::function<void()> m_action;
    QTimer m_frame;
    bool m_waiting = false;
};

} // namespace highwater::gui
