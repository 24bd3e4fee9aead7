#include "core/analysis/usage/pending_frees.h"

#include <algorithm>

#include "core/base/interruption.h"
#include "core/base/pair_numbers.h"

namespace highwater {

/// The free request at each address that is not completed yet. Takes about 20 bytes for each address that
/// ever had a request.
class PendingFrees::OpenRequests
{
public:
    static constexpr std::int32_t kNone = -1;

    void set(Address address, std::int32_t request)
    {
        const std::uint32_t number = m_addresses.intern(upper(address), lower(address));
        if (number == m_requests.size())
            m_requests.push_back(kNone);
        m_count += m_requests[number] == kNone ? 1 : 0;
        m_requests[number] = request;
    }
    std::int32_t at(Address address) const
    {
        const std::uint32_t number = m_addresses.find(upper(address), lower(address));
        return number == PairNumbers::kNone ? kNone : m_requests[number];
    }
    /// Removes the request of an address, which must have one.
    void erase(Address address)
    {
        m_requests[m_addresses.find(upper(address), lower(address))] = kNone;
        --m_count;
    }
    bool empty() const { return m_count == 0; }

private:
    static std::uint32_t upper(Address address) { return static_cast<std::uint32_t>(address >> 32); }
    static std::uint32_t lower(Address address) { return static_cast<std::uint32_t>(address); }

    PairNumbers m_addresses; ///< numbers for the upper and lower half of an address
    Column<std::int32_t> m_requests; ///< by number of the address
    std::size_t m_count = 0;
};

PendingFrees::PendingFrees(const Trace& trace, const LiveIndex& live)
    : m_trace(trace)
    , m_allocations(live.allocations())
{
    OpenRequests openRequests;
    const DeviceIndex device = m_allocations.device();
    const auto events = static_cast<std::int32_t>(m_allocations.eventCount());
    InterruptionCounter interruption;
    for (std::int32_t event = 0; event < events; ++event) {
        interruption.round();
        const std::size_t row = trace.row(device, event);
        const Action action = trace.events.action[row];
        if (action == Action::FreeRequested) {
            if (!isCompletedNext(event))
                openRequests.set(trace.events.address[row], event);
        } else if (!openRequests.empty() && (isFreeAction(action) || isAllocationAction(action))) {
            const std::int32_t request = openRequests.at(trace.events.address[row]);
            if (request == OpenRequests::kNone)
                continue;
            if (isFreeAction(action) && m_allocations.ofEvent(event) != AllocationTable::kNoAllocation)
                m_requests.push_back({m_allocations.ofEvent(event), request});
            openRequests.erase(trace.events.address[row]);
        }
    }
    std::vector<AllocationIndex> liveAtEnd;
    live.liveAt(events - 1, liveAtEnd);
    for (const AllocationIndex allocation : liveAtEnd)
        addLiveAtEnd(allocation, openRequests);
    std::ranges::sort(m_requests, {}, &Request::allocation);
}

/// Adds the free of an allocation if it is still pending at the end. The snapshot also shows frees that were
/// requested before the trace began.
void PendingFrees::addLiveAtEnd(AllocationIndex allocation, const OpenRequests& openRequests)
{
    if (const std::int32_t request = openRequests.at(m_allocations.address(allocation));
        request != OpenRequests::kNone)
        m_requests.push_back({allocation, request});
    else if (m_allocations.finalState(allocation) == BlockState::PendingFree)
        m_requests.push_back({allocation, AllocationTable::kBeforeTrace});
}

bool PendingFrees::isCompletedNext(std::int64_t event) const
{
    if (event + 1 >= m_allocations.eventCount())
        return false;
    const std::size_t row = m_trace.row(m_allocations.device(), event);
    return isFreeAction(m_trace.events.action[row + 1])
        && m_trace.events.address[row] == m_trace.events.address[row + 1];
}

std::int64_t PendingFrees::requestOf(AllocationIndex allocation) const
{
    const auto request = std::ranges::lower_bound(m_requests, allocation, {}, &Request::allocation);
    if (request != m_requests.end() && request->allocation == allocation)
        return request->event;
    const std::int64_t eventBefore = std::int64_t{m_allocations.death(allocation)} - 1;
    if (m_allocations.death(allocation) == AllocationTable::kNeverFreed || eventBefore < 0)
        return kNotRequested;
    const std::size_t row = m_trace.row(m_allocations.device(), eventBefore);
    const bool isRequest = m_trace.events.action[row] == Action::FreeRequested
        && m_trace.events.address[row] == m_allocations.address(allocation);
    return isRequest ? eventBefore : kNotRequested;
}

bool PendingFrees::isPending(AllocationIndex allocation, std::int64_t event) const
{
    return requestOf(allocation) <= event;
}

} // namespace highwater
