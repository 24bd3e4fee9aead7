#include "app/workspace/tasks/latest_task.h"

#include <QtConcurrent>

#include <new>
#include <utility>

#include "core/base/interruption.h"
#include "core/base/memory_limit.h"

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace highwater::gui {

namespace {

/// Behind the GUI thread where both want a processor: no work may slow a frame, and a thread that is not far
/// behind takes a whole tick of the clock from it now and then. The threads are the pool's and stay so.
void stepBack()
{
#ifdef Q_OS_LINUX
    constexpr int behind = 10;
    thread_local bool isBehind = false;
    const auto thread = static_cast<id_t>(::gettid());
    if (!std::exchange(isBehind, true))
        ::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + behind);
#endif
}

/// Returns no delivery if the work did not complete.
LatestTask::Delivery runGuarded(const LatestTask::Work& work, const StopToken& stop)
{
    stepBack();
    const InterruptibleScope scope(stop);
    try {
        return work();
    } catch (const WorkCancelled&) {
        return {};
    } catch (const std::bad_alloc&) {
        return [sentence = QString::fromStdString(outOfMemoryText())] {
            emit WorkFailures::instance().outOfMemory(sentence);
        };
    }
}

} // namespace

WorkFailures& WorkFailures::instance()
{
    static WorkFailures failures;
    return failures;
}

LatestTask::LatestTask(QObject* parent)
    : QObject(parent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &LatestTask::finish);
}

LatestTask::~LatestTask()
{
    m_stop.requestStop();
    m_watcher.waitForFinished();
}

void LatestTask::run(Work work)
{
    if (m_running)
        m_waiting = std::move(work);
    else
        start(std::move(work));
}

void LatestTask::drop()
{
    m_waiting.reset();
    m_ignoreAnswer = m_running;
    m_stop.requestStop();
}

void LatestTask::start(Work work)
{
    m_running = true;
    m_stop = StopToken();
    m_watcher.setFuture(
        QtConcurrent::run([work = std::move(work), stop = m_stop] { return runGuarded(work, stop); }));
}

void LatestTask::finish()
{
    const Delivery deliver = m_watcher.result();
    m_running = false;
    const bool ignore = std::exchange(m_ignoreAnswer, false);
    if (std::optional<Work> next = std::exchange(m_waiting, std::nullopt))
        start(std::move(*next));
    if (!ignore && deliver)
        deliver();
}

} // namespace highwater::gui
