#include "app/workspace/latest_task.h"

#include <QtConcurrent>

#include <utility>

namespace highwater::gui {

LatestTask::LatestTask(QObject* parent)
    : QObject(parent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &LatestTask::finish);
}

LatestTask::~LatestTask()
{
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
}

void LatestTask::start(Work work)
{
    m_running = true;
    m_watcher.setFuture(QtConcurrent::run(std::move(work)));
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
