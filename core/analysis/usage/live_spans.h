#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/usage/live_index.h"

namespace highwater {

/// An allocation and the moments at which it is alive: from `first` up to, but not including, `last`.
struct LiveSpan
{
    AllocationIndex allocation = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    bool operator==(const LiveSpan&) const = default;
};

/// Returns all allocations that are alive right after at least one of the events, in the table's order. The
/// events must be strictly ascending. An allocation that lives through many of them costs no more than one
/// that is alive at a single one: O(live at the first + births between the first and the last), plus O(log
/// events) per result.
std::vector<LiveSpan> liveSpans(const LiveIndex& live, std::span<const std::int64_t> events);

/// Visits the same spans one by one.
void visitLiveSpans(const LiveIndex& live, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&)>& visit);

} // namespace highwater
