#include "core/analysis/usage/pending_frees.h"

#include <algorithm>

#include "core/base/hash.h"

#include "core/base/interruption.h"

namespace highwater {

PendingFrees::PendingFrees(const Trace& trace, const LiveIndex& live)
    : m_trace(trace)
    , m_allocations(live.allocations())
{
    NumberMap<Address, std::int32_t> waiting;
    const DeviceIndex device = m_allocations.device();
    const auto events = static_cast<std::int32_t>(m_allocations.eventCount());
    InterruptionCounter interruption;
    for (std::int32_t event = 0; event < events; ++event) {
        interruption.round();
        const std::size_t row = trace.row(device, event);
        const Action action = trace.events.action[row];
        if (action == Action::FreeRequested) {
            if (!isCompletedNext(event))
                waiting.insert_or_assign(trace.events.address[row], event);
        } else if (!waiting.empty() && (isDeath(action) || isBirth(action))) {
            const auto request = waiting.find(trace.events.address[row]);
            if (request == waiting.end())
                continue;
            if (isDeath(action) && m_allocations.ofEvent(event) != AllocationTable::kNoAllocation)
                m_requests.push_back({m_allocations.ofEvent(event), request->second});
            waiting.erase(request);
        }
    }
    std::vector<AllocationIndex> last;
    live.liveAt(events - 1, last);
    for (const AllocationIndex allocation : last)
        addLiveAtEnd(allocation, waiting);
    std::ranges::sort(m_requests, {}, &Request::allocation);
}

/// Frees that are still pending at the end; the snapshot also has those that were freed before the trace
/// began.
void PendingFrees::addLiveAtEnd(AllocationIndex allocation, const NumberMap<Address, std::int32_t>& waiting)
{
    if (const auto request = waiting.find(m_allocations.address(allocation)); request != waiting.end())
        m_requests.push_back({allocation, request->second});
    else if (m_allocations.finalState(allocation) == BlockState::PendingFree)
        m_requests.push_back({allocation, AllocationTable::kBeforeTrace});
}

bool PendingFrees::isCompletedNext(std::int64_t event) const
{
    if (event + 1 >= m_allocations.eventCount())
        return false;
    const std::size_t row = m_trace.row(m_allocations.device(), event);
    return isDeath(m_trace.events.action[row + 1])
        && m_trace.events.address[row] == m_trace.events.address[row + 1];
}

std::int64_t PendingFrees::requestOf(AllocationIndex allocation) const
{
    const auto request = std::ranges::lower_bound(m_requests, allocation, {}, &Request::allocation);
    if (request != m_requests.end() && request->allocation == allocation)
        return request->event;
    const std::int64_t before = std::int64_t{m_allocations.death(allocation)} - 1;
    if (m_allocations.death(allocation) == AllocationTable::kNeverFreed || before < 0)
        return kNotRequested;
    const std::size_t row = m_trace.row(m_allocations.device(), before);
    const bool adjacent = m_trace.events.action[row] == Action::FreeRequested
        && m_trace.events.address[row] == m_allocations.address(allocation);
    return adjacent ? before : kNotRequested;
}

bool PendingFrees::isPending(AllocationIndex allocation, std::int64_t event) const
{
    return requestOf(allocation) <= event;
}

} // namespace highwater
