#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace highwater {

/// Receives the progress of a long operation, in the thread that does the work.
class ProgressSink
{
public:
    virtual ~ProgressSink() = default;
    /// `total` is 0 if it is unknown.
    virtual void progressed(std::uint64_t done, std::uint64_t total) = 0;
};

/// A stop request that can be made from any thread or signal handler; copies share it.
class StopToken
{
public:
    StopToken()
        : m_flag(std::make_shared<std::atomic<bool>>(false))
    {
    }
    void requestStop() const { m_flag->store(true, std::memory_order_relaxed); }
    bool stopRequested() const { return m_flag->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_flag;
};

/// Forwards at most one report per 50 ms, and each that has `done` equal to `total`. The sink may be null.
class ThrottledProgress
{
public:
    explicit ThrottledProgress(ProgressSink* sink)
        : m_sink(sink)
    {
    }
    void report(std::uint64_t done, std::uint64_t total);

private:
    ProgressSink* m_sink;
    std::chrono::steady_clock::time_point m_last{};
};

} // namespace highwater
