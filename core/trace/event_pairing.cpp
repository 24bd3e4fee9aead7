#include "core/trace/event_pairing.h"

#include "core/base/pair_numbers.h"

namespace highwater {

namespace {

constexpr std::int32_t kFreed = -1;
constexpr std::int32_t kPrefetchDistance = PairNumbers::kAhead; ///< In events, and in blocks

std::uint32_t upperHalf(Address address)
{
    return static_cast<std::uint32_t>(address >> 32);
}

std::uint32_t lowerHalf(Address address)
{
    return static_cast<std::uint32_t>(address);
}

/// The latest allocation at each address as its alloc event, or kFreed if it has been freed. About 20 bytes
/// per address.
class LiveEvents
{
public:
    /// Returns the entry of the address, and true if the address is new; a new entry is set to `event`.
    std::pair<std::int32_t&, bool> entryOf(Address address, std::int32_t event)
    {
        const std::uint32_t number = m_addresses.intern(upperHalf(address), lowerHalf(address));
        const bool isNew = number == m_events.size();
        if (isNew)
            m_events.push_back(event);
        return {m_events[number], isNew};
    }
    void prefetch(Address address) const { m_addresses.prefetch(upperHalf(address), lowerHalf(address)); }

private:
    PairNumbers m_addresses; ///< Addresses as (upper half, lower half)
    Column<std::int32_t> m_events; ///< By number of the address
};

class Pairer
{
public:
    Pairer(const Trace& trace, DeviceIndex device)
        : m_events(trace.events)
        , m_first(trace.devices[device].events.first)
        , m_count(static_cast<std::int32_t>(trace.devices[device].events.size()))
    {
        m_partner.resize(static_cast<std::size_t>(m_count), EventPairing::kNone);
    }

    PairingResult pairAll(const Trace& trace, DeviceIndex device)
    {
        for (std::int32_t event = 0; event < m_count; ++event) {
            if (m_count - event > kPrefetchDistance)
                m_live.prefetch(m_events.address[row(event + kPrefetchDistance)]);
            const Action action = m_events.action[row(event)];
            if (isAllocationAction(action))
                pairAllocation(event);
            else if (isFreeAction(action))
                pairFree(event);
        }
        matchFinalBlocks(trace, device);
        for (const std::int32_t partner : m_partner)
            m_result.pairing.partner.push_back(partner);
        return std::move(m_result);
    }

private:
    std::size_t row(std::int32_t event) const { return m_first + static_cast<std::size_t>(event); }
    std::int32_t& partner(std::int32_t event) { return m_partner[static_cast<std::size_t>(event)]; }

    static void countFault(EventFault& fault, std::int32_t event)
    {
        if (++fault.count == 1)
            fault.firstEvent = event;
    }

    void pairAllocation(std::int32_t event)
    {
        const auto [live, isNew] = m_live.entryOf(m_events.address[row(event)], event);
        if (isNew) {
            ++m_liveCount;
            return;
        }
        if (live == kFreed) {
            ++m_liveCount;
        } else {
            countFault(m_result.faults.allocAtLiveAddress, event);
            partner(live) = event;
        }
        live = event;
    }

    void pairFree(std::int32_t event)
    {
        const auto [live, isNew] = m_live.entryOf(m_events.address[row(event)], kFreed);
        if (isNew) {
            partner(event) = EventPairing::kBeforeTrace;
            return;
        }
        if (live == kFreed) {
            countFault(m_result.faults.freeWithoutAllocation, event);
            partner(event) = EventPairing::kUnknown;
            return;
        }
        if (m_events.size[row(live)] != m_events.size[row(event)])
            countFault(m_result.faults.sizeMismatch, event);
        partner(live) = event;
        partner(event) = live;
        live = kFreed;
        --m_liveCount;
    }

    void matchFinalBlocks(const Trace& trace, DeviceIndex device)
    {
        const RowRange segments = trace.devices[device].segments;
        for (std::uint32_t segment = segments.first; segment < segments.last; ++segment) {
            const RowRange blocks = trace.segments.segments.blocks(segment);
            for (std::uint32_t blockRow = blocks.first; blockRow < blocks.last; ++blockRow) {
                if (blocks.last - blockRow > kPrefetchDistance)
                    m_live.prefetch(trace.segments.blocks[blockRow + kPrefetchDistance].address);
                if (trace.segments.blocks[blockRow].isLive())
                    matchBlock(trace.segments.blocks[blockRow], blockRow);
            }
        }
        m_result.faults.liveButNotInSegments += m_liveCount;
    }

    void matchBlock(const Block& block, std::uint32_t index)
    {
        const auto [live, isNew] = m_live.entryOf(block.address, kFreed);
        if (isNew) {
            m_result.pairing.untouchedBlocks.push_back(index);
            return;
        }
        if (live == kFreed) {
            ++m_result.faults.blockWithoutAllocation;
            return;
        }
        if (m_events.size[row(live)] != block.requestedSize)
            countFault(m_result.faults.sizeMismatch, live);
        live = kFreed;
        --m_liveCount;
    }

    const MemoryEventTable& m_events;
    std::size_t m_first;
    std::int32_t m_count;
    LiveEvents m_live;
    std::int64_t m_liveCount = 0;
    Column<std::int32_t> m_partner; ///< Partner of each event
    PairingResult m_result;
};

} // namespace

PairingResult pairEvents(const Trace& trace, DeviceIndex device)
{
    return Pairer(trace, device).pairAll(trace, device);
}

} // namespace highwater
