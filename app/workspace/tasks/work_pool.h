#pragma once

#include <QThreadPool>

namespace highwater::gui {

/// A thread pool whose threads stay once they are made. QThreadPool itself loses the work for which the
/// system makes no thread, and whoever waits for it waits for ever.
class WorkPool : public QThreadPool
{
    Q_OBJECT

public:
    explicit WorkPool(QObject* parent = nullptr);

    /// True if a thread of the pool will do one more piece of work; false where the caller has to do it. To
    /// be asked before each piece, by the one thread that gives the pool its work.
    bool canTakeWork();

private:
    int m_made = 0; ///< threads that the pool has
};

} // namespace highwater::gui
