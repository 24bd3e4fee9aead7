#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/usage/live_index.h"

namespace highwater {

/// An allocation and the moments at which it is live: from `first` up to, not including, `last`.
struct LiveSpan
{
    AllocationIndex allocation = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    bool operator==(const LiveSpan&) const = default;
};

/// All allocations that are live right after at least one of the events, in the table's order. The events
/// must ascend strictly. An allocation that lives through many of them costs no more than one that is live at
/// one: O(live at the first + births between the first and the last), and O(log events) for each of the
/// result.
std::vector<LiveSpan> liveSpans(const LiveIndex& live, std::span<const std::int64_t> events);

/// The same, one after the other.
void visitLiveSpans(const LiveIndex& live, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&)>& visit);

} // namespace highwater
