#include "app/workspace/tasks/jobs.h"

#include <utility>

namespace highwater::gui {

void Job::post(std::function<void()> action) const
{
    const auto actIfWanted = [&jobs = m_jobs, batch = m_batch, action = std::move(action)] {
        if (batch == jobs.m_batch)
            action();
    };
    QMetaObject::invokeMethod(&m_jobs, actIfWanted, Qt::QueuedConnection);
}

Jobs::Jobs(int threads, QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(threads);
}

Jobs::~Jobs()
{
    m_stop.requestStop();
    m_pool.waitForDone();
}

void Jobs::start(Work work)
{
    auto workItem = [work = std::move(work), job = Job(*this, m_stop, m_batch)] { work(job); };
    if (m_pool.canTakeWork())
        m_pool.start(std::move(workItem));
    else
        QMetaObject::invokeMethod(this, std::move(workItem), Qt::QueuedConnection);
}

void Jobs::requestStop()
{
    std::exchange(m_stop, StopToken()).requestStop();
}

void Jobs::drop()
{
    requestStop();
    ++m_batch;
}

} // namespace highwater::gui
