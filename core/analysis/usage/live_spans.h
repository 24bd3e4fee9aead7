#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/usage/live_index.h"

namespace highwater {

/// An allocation and the events after which it is alive, as indices [first, last) into the given events.
struct LiveSpan
{
    AllocationIndex allocation = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    bool operator==(const LiveSpan&) const = default;
};

/// Returns all allocations that are alive right after at least one of the events, in the table's order. The
/// events must be strictly ascending. The cost does not depend on the number of events through which an
/// allocation lives: O(live at the first event + births up to the last event), plus O(log events) per result.
std::vector<LiveSpan> liveSpans(const LiveIndex& live, std::span<const std::int64_t> events);

/// Visits the spans of `liveSpans` one by one, without making a list of them.
void visitLiveSpans(const LiveIndex& live, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&)>& visit);

} // namespace highwater
