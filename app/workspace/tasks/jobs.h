#pragma once

#include <functional>

#include <QObject>

#include "app/workspace/tasks/work_pool.h"
#include "core/base/progress.h"

namespace highwater::gui {

class Jobs;

/// What a piece of work knows of its owner. May be used on any thread; copies are the same job.
class Job
{
public:
    const StopToken& stop() const { return m_stop; }
    /// Runs on the owner's thread, unless the job has been dropped by then.
    void post(std::function<void()> action) const;

private:
    friend class Jobs;
    Job(Jobs& jobs, StopToken stop, quint64 batch)
        : m_jobs(jobs)
        , m_stop(std::move(stop))
        , m_batch(batch)
    {
    }

    Jobs& m_jobs;
    StopToken m_stop;
    quint64 m_batch;
};

/// Long work of one owner, such as loading files, in threads of its own, in the order in which it is asked
/// for. `LatestTask` is for short work of which only the newest counts.
class Jobs : public QObject
{
    Q_OBJECT

public:
    using Work = std::function<void(const Job&)>;

    /// `threads` pieces run at a time.
    explicit Jobs(int threads, QObject* parent = nullptr);
    /// Asks everything to stop and waits for it. Nothing more is posted.
    ~Jobs() override;

    int threads() const { return m_pool.maxThreadCount(); }
    /// Where the system makes no thread, the work is done on the owner's, once it returns to its event loop.
    void start(Work work);
    /// What runs or waits is to end early, and still posts its result.
    void requestStop();
    /// What runs or waits is to end early, and posts nothing any more.
    void drop();
    /// Returns when all has ended; what it has posted is still to come.
    void wait() { m_pool.waitForDone(); }

private:
    friend class Job;

    WorkPool m_pool;
    StopToken m_stop;
    quint64 m_batch = 0; ///< what belongs to an earlier one has been dropped
};

/// Posts the progress of a job.
class JobProgress : public ProgressSink
{
public:
    using Tell = std::function<void(std::uint64_t done, std::uint64_t total)>;

    JobProgress(const Job& job, Tell tell)
        : m_job(job)
        , m_tell(std::move(tell))
    {
    }
    void progressed(std::uint64_t done, std::uint64_t total) override
    {
        m_job.post([tell = m_tell, done, total] { tell(done, total); });
    }

private:
    Job m_job;
    Tell m_tell;
};

} // namespace highwater::gui
