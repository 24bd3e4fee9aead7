#pragma once

#include <chrono>
#include <future>
#include <utility>

#include "app/loading/background.h"

namespace highwater {

/// Work in its own thread, which another thread can ask to stop. The destructor waits for the work without
/// stopping it.
template <typename Value>
class BackgroundTask
{
public:
    /// Begins at once. `work` notices the stop request at its interruption points.
    template <typename Work>
    explicit BackgroundTask(Work work)
    {
        const InterruptibleScope scope(m_stop);
        m_value = inBackground(std::move(work));
    }

    void requestStop() const { m_stop.requestStop(); }
    bool stopRequested() const { return m_stop.stopRequested(); }
    /// True if `take`, which must not have been called yet, returns without waiting for another thread.
    bool isDone() const { return m_value.wait_for(std::chrono::seconds(0)) != std::future_status::timeout; }
    /// Returns the value; call it once. Does the work here if no thread could be started.
    Value take() { return m_value.get(); }

private:
    StopToken m_stop;
    std::future<Value> m_value;
};

} // namespace highwater
