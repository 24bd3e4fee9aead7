#pragma once

#include <future>
#include <new>
#include <system_error>
#include <utility>

#include "core/base/interruption.h"
#include "core/base/memory_limit.h"
#include "core/base/result.h"

namespace highwater {

/// Runs `work` in its own thread, within the interruptible scope of the caller. If no thread can be started,
/// the work runs in the thread that asks for its result.
template <typename Work>
auto inBackground(Work work) -> std::future<decltype(work())>
{
    auto scoped = [work = std::move(work), stop = InterruptibleScope::currentToken()]() mutable {
        const InterruptibleScope scope(stop);
        return work();
    };
    try {
        return std::async(std::launch::async, scoped);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, std::move(scoped));
    }
}

/// Does work that may be stopped, or run out of memory: these are errors then (Cancelled, LimitExceeded).
template <typename Work>
auto interruptible(const StopToken& stop, Work&& work) -> decltype(work())
{
    const InterruptibleScope scope(stop);
    try {
        return work();
    } catch (const WorkCancelled&) {
        return fail(ErrorCode::Cancelled, "cancelled");
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::LimitExceeded, outOfMemoryText());
    }
}

} // namespace highwater
