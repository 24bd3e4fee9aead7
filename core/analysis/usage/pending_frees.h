#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/analysis/usage/live_index.h"

namespace highwater {

/// The allocations that the program has freed while another stream still uses them: their memory stays
/// occupied from `free_requested` to `free_completed` (PyTorch's `record_stream`).
class PendingFrees
{
public:
    /// O(events). The trace and the index must outlive the object.
    PendingFrees(const Trace& trace, const LiveIndex& live);

    /// True if the free of an allocation is requested but not completed right after the event. The allocation
    /// must be alive after the event.
    bool isPending(AllocationIndex allocation, std::int64_t event) const;
    /// Returns the event that requested the free; −1 if it was before the trace, kNotRequested if there is
    /// none.
    std::int64_t requestOf(AllocationIndex allocation) const;
    static constexpr std::int64_t kNotRequested = std::numeric_limits<std::int64_t>::max();

private:
    struct Request
    {
        AllocationIndex allocation;
        std::int32_t event;
    };

    class OpenRequests;

    void addLiveAtEnd(AllocationIndex allocation, const OpenRequests& openRequests);
    bool isCompletedNext(std::int64_t event) const;

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    /// Requests that do not complete at once, which are rare; ordered by allocation.
    std::vector<Request> m_requests;
};

} // namespace highwater
