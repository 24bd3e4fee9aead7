#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/interruption.h"
#include "core/base/memory_limit.h"
#include "core/base/result.h"

namespace highwater {

/// Runs `work` in its own thread, interruptible by the caller's stop token and within the memory limit if the
/// caller is. The future's destructor waits for the work. If no thread can be started, the work runs in the
/// thread that calls `get` on the future, and not at all if none does.
template <typename Work>
auto inBackground(Work work) -> std::future<decltype(work())>
{
    auto scoped = [work = std::move(work), stop = InterruptibleScope::currentToken(),
                      isLimited = MemoryLimitScope::isOpen()]() mutable {
        const InterruptibleScope scope(stop);
        const MemoryLimitScope limited(isLimited);
        return work();
    };
    try {
        return std::async(std::launch::async, scoped);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, std::move(scoped));
    }
}

/// Calls `work` for each index below `count` on several threads, including the calling one, and waits for
/// them. There are at most four threads, and no more than processors, since each call holds memory
/// (`SideBySide`). If calls throw, the rest is skipped and one of the exceptions is thrown again.
inline void sideBySide(std::size_t count, const std::function<void(std::size_t)>& work)
{
    constexpr std::size_t kMaxThreads = 4;
    std::atomic<std::size_t> nextIndex = 0;
    const auto workOn = [&] {
        try {
            for (std::size_t i = nextIndex++; i < count; i = nextIndex++)
                work(i);
        } catch (...) {
            nextIndex = count;
            throw;
        }
    };
    std::vector<std::future<void>> helpers;
    const std::size_t threads = std::min<std::size_t>(kMaxThreads, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(threads, count); ++i)
        helpers.push_back(inBackground(workOn));
    workOn();
    for (std::future<void>& helper : helpers)
        helper.get();
}

/// Returns the result of `work`, done within the memory limit. Fails with Cancelled if `stop` interrupts the
/// work, and with LimitExceeded if it runs out of memory.
template <typename Work>
auto interruptible(const StopToken& stop, Work&& work) -> decltype(work())
{
    const InterruptibleScope scope(stop);
    try {
        const MemoryLimitScope limited;
        return work();
    } catch (const WorkCancelled&) {
        return fail(ErrorCode::Cancelled, "cancelled");
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::LimitExceeded, outOfMemoryText());
    }
}

} // namespace highwater
