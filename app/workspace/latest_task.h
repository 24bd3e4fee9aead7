#pragma once

#include <functional>
#include <optional>

#include <QFutureWatcher>
#include <QObject>

namespace highwater::gui {

/// Runs work off the GUI thread, at most one piece at a time. Of what is asked for meanwhile only the newest
/// waits: a picture that has been overtaken is not worth computing.
class LatestTask : public QObject
{
    Q_OBJECT

public:
    /// What to do with the result, on the GUI thread.
    using Delivery = std::function<void()>;
    using Work = std::function<Delivery()>;

    explicit LatestTask(QObject* parent = nullptr);
    ~LatestTask() override;

    void run(Work work);
    /// Forgets what waits and ignores the answer of what runs.
    void drop();
    bool isBusy() const { return m_running; }

private:
    void start(Work work);
    void finish();

    QFutureWatcher<Delivery> m_watcher;
    std::optional<Work> m_waiting;
    bool m_running = false;
    bool m_ignoreAnswer = false;
};

} // namespace highwater::gui
