#pragma once

#include <functional>

#include <QObject>
#include <QTimer>

namespace highwater::gui {

/// Calls an action at most once per display frame, however often it is requested: at once if the last call
/// was long enough ago, else at the end of the frame. For panels that follow the mouse, which moves more
/// often than anyone can read.
class FrameThrottle : public QObject
{
    Q_OBJECT

public:
    static constexpr int kFrameMilliseconds = 16;

    explicit FrameThrottle(std::function<void()> action, QObject* parent = nullptr);

    void request();
    /// Calls a pending action now.
    void flush();

private:
    void perform();

    std::function<void()> m_action;
    QTimer m_frame;
    bool m_waiting = false;
};

} // namespace highwater::gui
