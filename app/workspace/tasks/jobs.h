#pragma once

#include <functional>

#include <QObject>

#include "app/workspace/tasks/work_pool.h"
#include "core/base/progress.h"

namespace highwater::gui {

class Jobs;

/// Connects a piece of work with its owner. May be used on any thread; copies refer to the same job.
class Job
{
public:
    const StopToken& stop() const { return m_stop; }
    /// Runs `action` on the owner's thread, unless the job has been dropped by then.
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

/// Long work of one owner, such as loading files, in threads of its own and in the requested order. For short
/// work of which only the newest request counts, use `LatestTask`.
class Jobs : public QObject
{
    Q_OBJECT

public:
    using Work = std::function<void(const Job&)>;

    /// `threads` is the number of pieces that run at the same time.
    explicit Jobs(int threads, QObject* parent = nullptr);
    /// Asks all work to stop and waits for it. Nothing more is posted.
    ~Jobs() override;

    int threads() const { return m_pool.maxThreadCount(); }
    /// If the system cannot create a thread, the work runs on the owner's thread from its event loop.
    void start(Work work);
    /// Asks running and waiting work to end early; it still posts its results.
    void requestStop();
    /// Asks running and waiting work to end early; it posts no more results.
    void drop();
    /// Returns when all work in threads has ended; its posted results are still to come.
    void wait() { m_pool.waitForDone(); }

private:
    friend class Job;

    WorkPool m_pool;
    StopToken m_stop;
    quint64 m_batch = 0; ///< work of an earlier batch has been dropped
};

/// Posts the progress of a job.
class JobProgress : public ProgressSink
{
public:
    using ProgressCallback = std::function<void(std::uint64_t done, std::uint64_t total)>;

    JobProgress(const Job& job, ProgressCallback callback)
        : m_job(job)
        , m_callback(std::move(callback))
    {
    }
    void progressed(std::uint64_t done, std::uint64_t total) override
    {
        m_job.post([callback = m_callback, done, total] { callback(done, total); });
    }

private:
    Job m_job;
    ProgressCallback m_callback;
};

} // namespace highwater::gui
