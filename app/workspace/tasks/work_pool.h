#pragma once

#include <QThreadPool>

namespace highwater::gui {

/// A thread pool that never ends its threads, and that knows whether the system can create another one. If it
/// cannot, QThreadPool loses work, and whoever waits for that work waits forever.
class WorkPool : public QThreadPool
{
    Q_OBJECT

public:
    explicit WorkPool(QObject* parent = nullptr);

    /// True if a thread of the pool will do one more piece of work; if false the caller has to do it. Must be
    /// called before each piece, always from the thread that gives the pool its work.
    bool canTakeWork();

private:
    int m_threadCount = 0; ///< number of threads in the pool
};

} // namespace highwater::gui
