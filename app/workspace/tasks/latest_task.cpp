#include "app/workspace/tasks/latest_task.h"

#include <QtConcurrent>

#include <new>
#include <utility>

#include "app/workspace/tasks/work_pool.h"
#include "core/base/interruption.h"
#include "core/base/memory_limit.h"

#ifdef Q_OS_LINUX
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace highwater::gui {

namespace {

/// Threads keep the priority that they started with, so each pace has its own pool.
WorkPool& poolOf(LatestTask::Pace pace)
{
    static WorkPool background;
    static WorkPool usual;
    return pace == LatestTask::Pace::Background ? background : usual;
}

/// Lowers the calling thread's priority well below the GUI thread's, so that work never delays a frame. With
/// a slightly lower priority, work would still delay a frame by a whole clock tick now and then. Threads of a
/// pool keep the lower priority.
void lowerPriority([[maybe_unused]] LatestTask::Pace pace)
{
#ifdef Q_OS_LINUX
    const int niceIncrement = pace == LatestTask::Pace::Background ? 19 : 10;
    thread_local bool isLowered = false;
    const auto thread = static_cast<id_t>(::gettid());
    if (!std::exchange(isLowered, true))
        ::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + niceIncrement);
#endif
}

/// Returns the processor that the calling thread runs on, or −1 if unknown.
int thisProcessor()
{
#ifdef Q_OS_LINUX
    return ::sched_getcpu();
#else
    return -1;
#endif
}

/// Keeps the calling thread off `processor`, which the GUI thread uses. The kernel may start a thread on the
/// processor of the thread that woke it. There it would delay a frame by a whole clock tick, however low its
/// priority is.
void avoidProcessor([[maybe_unused]] int processor)
{
#ifdef Q_OS_LINUX
    thread_local int lastProcessor = -1;
    if (std::exchange(lastProcessor, processor) == processor || processor < 0)
        return;
    cpu_set_t others; // all processors that the program may use except that one
    if (::sched_getaffinity(::getpid(), sizeof others, &others) != 0)
        return;
    CPU_CLR(processor, &others);
    if (CPU_COUNT(&others) > 0)
        ::sched_setaffinity(0, sizeof others, &others);
#endif
}

/// Returns no delivery if the work did not complete.
LatestTask::Delivery runGuarded(const LatestTask::Work& work, const StopToken& stop)
{
    const InterruptibleScope scope(stop);
    try {
        const MemoryLimitScope limited;
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

LatestTask::LatestTask(Pace pace, QObject* parent)
    : QObject(parent)
    , m_pace(pace)
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
        m_nextWork = std::move(work);
    else
        start(std::move(work));
}

void LatestTask::drop()
{
    m_nextWork.reset();
    m_ignoresResult = m_running;
    m_stop.requestStop();
}

void LatestTask::start(Work work)
{
    m_running = true;
    m_stop = StopToken();
    WorkPool& pool = poolOf(m_pace);
    if (!pool.canTakeWork()) {
        m_watcher.setFuture(QtFuture::makeReadyFuture(runGuarded(work, m_stop)));
        return;
    }
    m_watcher.setFuture(QtConcurrent::run(static_cast<QThreadPool*>(&pool),
        [work = std::move(work), stop = m_stop, pace = m_pace, processor = thisProcessor()] {
            lowerPriority(pace);
            avoidProcessor(processor);
            return runGuarded(work, stop);
        }));
}

void LatestTask::finish()
{
    const Delivery deliver = m_watcher.result();
    m_running = false;
    const bool isIgnored = std::exchange(m_ignoresResult, false);
    if (std::optional<Work> next = std::exchange(m_nextWork, std::nullopt))
        start(std::move(*next));
    if (!isIgnored && deliver)
        deliver();
}

} // namespace highwater::gui
