#pragma once

#include <functional>
#include <optional>

#include <QFutureWatcher>
#include <QObject>

#include "core/base/progress.h"

namespace highwater::gui {

/// Tells the window of work that ended for want of memory; its view shows what it showed before.
class WorkFailures : public QObject
{
    Q_OBJECT

public:
    static WorkFailures& instance();

signals:
    /// With the sentence for the user.
    void outOfMemory(const QString& sentence);
};

/// Runs work off the GUI thread, at most one piece at a time. Of what is asked for meanwhile only the newest
/// waits: a picture that has been overtaken is not worth computing. Work runs in an interruptible scope;
/// memory that it does not get is told by WorkFailures.
class LatestTask : public QObject
{
    Q_OBJECT

public:
    /// What to do with the result, on the GUI thread.
    using Delivery = std::function<void()>;
    using Work = std::function<Delivery()>;

    enum class Pace
    {
        Usual,
        Background, ///< takes seconds: behind all other work, in threads of its own
    };

    explicit LatestTask(Pace pace = Pace::Usual, QObject* parent = nullptr);
    ~LatestTask() override;

    void run(Work work);
    /// Forgets what waits, stops what runs and ignores its answer.
    void drop();
    bool isBusy() const { return m_running; }

private:
    void start(Work work);
    void finish();

    Pace m_pace;
    QFutureWatcher<Delivery> m_watcher;
    std::optional<Work> m_waiting;
    StopToken m_stop; ///< of what runs
    bool m_running = false;
    bool m_ignoreAnswer = false;
};

} // namespace highwater::gui
