#pragma once

#include <functional>
#include <optional>

#include <QFutureWatcher>
#include <QObject>

#include "core/base/progress.h"

namespace highwater::gui {

/// Reports work that ran out of memory. The view that requested the work keeps its previous content.
class WorkFailures : public QObject
{
    Q_OBJECT

public:
    static WorkFailures& instance();

signals:
    /// `sentence` is meant for the user.
    void outOfMemory(const QString& sentence);
};

/// Runs work off the GUI thread, one piece at a time. Of the requests made meanwhile only the newest waits,
/// because an outdated picture is not worth computing. Work runs in an interruptible scope; WorkFailures
/// reports out-of-memory.
class LatestTask : public QObject
{
    Q_OBJECT

public:
    /// Delivers a result; called on the GUI thread.
    using Delivery = std::function<void()>;
    using Work = std::function<Delivery()>;

    enum class Pace
    {
        Usual,
        Background, ///< for work that takes seconds: lowest priority, in threads of its own
    };

    explicit LatestTask(Pace pace = Pace::Usual, QObject* parent = nullptr);
    ~LatestTask() override;

    /// Runs the work after the running one. If the system cannot create a thread, it runs at once on this
    /// one.
    void run(Work work);
    /// Forgets waiting work, stops running work and ignores its result.
    void drop();
    /// True while work runs, also after `drop` until it has ended.
    bool isBusy() const { return m_running; }

private:
    void start(Work work);
    void finish();

    Pace m_pace;
    QFutureWatcher<Delivery> m_watcher;
    std::optional<Work> m_nextWork;
    StopToken m_stop; ///< stops the running work
    bool m_running = false;
    bool m_ignoresResult = false;
};

} // namespace highwater::gui
