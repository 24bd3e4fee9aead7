#include "app/workspace/tasks/work_pool.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace highwater::gui {

namespace {

bool canMakeThread()
{
    try {
        std::thread([] {}).join();
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

} // namespace

WorkPool::WorkPool(QObject* parent)
    : QThreadPool(parent)
{
    setExpiryTimeout(-1);
}

bool WorkPool::canTakeWork()
{
    const int needed = std::min(activeThreadCount() + 1, maxThreadCount());
    if (needed <= m_threadCount)
        return true; // a thread is idle, or will be when its work is done
    if (!canMakeThread())
        return false;
    m_threadCount = needed;
    return true;
}

} // namespace highwater::gui
