#pragma once

#include <QThreadPool>

namespace highwater::gui {

/// A thread pool that never ends its threads. QThreadPool loses work if the system cannot create a thread for
/// it, and whoever waits for that work waits forever.
class WorkPool : public QThreadPool
{
    Q_OBJECT

public:
    explicit WorkPool(QObject* parent = nullptr);

    /// True if a thread of the pool will do one more piece of work; if false the caller has to do it. Must be
    /// called before each piece, always from the thread that gives the pool its work.
    bool canTakeWork();

private:
    int m_made = 0; ///< number of threads in the pool
};

} // namespace highwater::gui
