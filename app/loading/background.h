#pragma once

#include <future>
#include <system_error>
#include <utility>

#include "core/base/interruption.h"

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

} // namespace highwater
