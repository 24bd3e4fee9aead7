#include "core/trace/event_pairing.h"

#include "core/base/hash.h"

namespace highwater {

namespace {

constexpr std::int32_t kFreed = -1;

/// Per address the alloc event that is live there, or kFreed.
using LiveMap = NumberMap<Address, std::int32_t>;

class Pairer
{
public:
    Pairer(const Trace& trace, DeviceIndex device)
        : m_events(trace.events)
        , m_first(trace.devices[device].events.first)
        , m_count(static_cast<std::int32_t>(trace.devices[device].events.size()))
    {
        m_result.pairing.partner.resize(static_cast<std::size_t>(m_count), EventPairing::kNone);
    }

    PairingResult run(const Trace& trace, DeviceIndex device)
    {
        for (std::int32_t event = 0; event < m_count; ++event) {
            const Action action = m_events.action[row(event)];
            if (isBirth(action))
                open(event);
            else if (isDeath(action))
                close(event);
        }
        matchFinalBlocks(trace, device);
        return std::move(m_result);
    }

private:
    std::size_t row(std::int32_t event) const { return m_first + static_cast<std::size_t>(event); }
    std::int32_t& partner(std::int32_t event)
    {
        return m_result.pairing.partner[static_cast<std::size_t>(event)];
    }

    void fault(std::int64_t& counter, std::int32_t event)
    {
        ++counter;
        if (m_result.faults.firstEvent < 0)
            m_result.faults.firstEvent = event;
    }

    void open(std::int32_t event)
    {
        const auto [found, fresh] = m_live.try_emplace(m_events.address[row(event)], event);
        if (fresh) {
            ++m_liveCount;
            return;
        }
        std::int32_t& live = found.value();
        if (live == kFreed) {
            ++m_liveCount;
        } else {
            fault(m_result.faults.allocAtLiveAddress, event);
            partner(live) = event;
        }
        live = event;
    }

    void close(std::int32_t event)
    {
        const auto [found, fresh] = m_live.try_emplace(m_events.address[row(event)], kFreed);
        if (fresh) {
            partner(event) = EventPairing::kBeforeTrace;
            return;
        }
        std::int32_t& live = found.value();
        if (live == kFreed) {
            fault(m_result.faults.freeWithoutAllocation, event);
            partner(event) = EventPairing::kUnknown;
            return;
        }
        if (m_events.size[row(live)] != m_events.size[row(event)])
            fault(m_result.faults.sizeMismatch, event);
        partner(live) = event;
        partner(event) = live;
        live = kFreed;
        --m_liveCount;
    }

    void matchFinalBlocks(const Trace& trace, DeviceIndex device)
    {
        const RowRange segments = trace.devices[device].segments;
        for (std::uint32_t s = segments.first; s < segments.last; ++s) {
            const RowRange blocks = trace.segments.segments[s].blocks;
            for (std::uint32_t b = blocks.first; b < blocks.last; ++b)
                if (trace.segments.blocks[b].isLive())
                    matchBlock(trace.segments.blocks[b], b);
        }
        m_result.faults.liveButNotInSegments += m_liveCount;
    }

    void matchBlock(const Block& block, std::uint32_t index)
    {
        const auto [found, fresh] = m_live.try_emplace(block.address, kFreed);
        if (fresh) {
            m_result.pairing.untouchedBlocks.push_back(index);
            return;
        }
        const std::int32_t live = found.value();
        if (live == kFreed) {
            ++m_result.faults.blockWithoutAllocation;
            return;
        }
        if (m_events.size[row(live)] != block.requestedSize)
            fault(m_result.faults.sizeMismatch, live);
        found.value() = kFreed;
        --m_liveCount;
    }

    const MemoryEventTable& m_events;
    std::size_t m_first;
    std::int32_t m_count;
    LiveMap m_live;
    std::int64_t m_liveCount = 0;
    PairingResult m_result;
};

} // namespace

bool PairingFaults::any() const
{
    return allocAtLiveAddress || freeWithoutAllocation || sizeMismatch || liveButNotInSegments
        || blockWithoutAllocation;
}

PairingResult pairEvents(const Trace& trace, DeviceIndex device)
{
    return Pairer(trace, device).run(trace, device);
}

} // namespace highwater
