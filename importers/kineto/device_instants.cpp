#include "importers/kineto/device_instants.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater::kineto {

namespace {

/// Converts a c10::DeviceType; ROCm builds report CUDA.
DeviceKind deviceKindOf(std::int64_t deviceType)
{
    switch (deviceType) {
    case 0: return DeviceKind::Cpu;
    case 1: return DeviceKind::Cuda;
    case 6: return DeviceKind::Hip;
    case 12: return DeviceKind::Xpu;
    case 13: return DeviceKind::Mps;
    case 19: return DeviceKind::Mtia;
    default: return DeviceKind::Other;
    }
}

/// Invents addresses for traces without them. An allocation gets a new address, a free gets the address of
/// the latest live allocation of its size, or a new one if there is no such allocation.
class AddressMaker
{
public:
    Address addressFor(Bytes bytes)
    {
        if (bytes >= 0) {
            m_live[bytes].push_back(++m_lastAddress);
            return m_lastAddress;
        }
        std::vector<Address>& live = m_live[-bytes];
        if (live.empty())
            return ++m_lastAddress;
        const Address address = live.back();
        live.pop_back();
        return address;
    }

private:
    NumberMap<Bytes, std::vector<Address>> m_live;
    Address m_lastAddress = 0;
};

/// Sorts only if necessary, because most traces are in order and sorting needs memory.
template <typename Key>
void sortStably(std::span<MemoryInstant> instants, Key key)
{
    if (!std::ranges::is_sorted(instants, {}, key))
        std::ranges::stable_sort(instants, {}, key);
}

std::pair<DeviceKind, std::int64_t> deviceKeyOf(const MemoryInstant& instant)
{
    return {deviceKindOf(instant.deviceType), instant.deviceId};
}

class DeviceWriter
{
public:
    DeviceWriter(TraceBuilder& builder, DeviceIndex device, std::span<MemoryInstant> instants)
        : m_builder(builder)
        , m_index(device)
        , m_instants(instants)
    {
    }

    void writeEvents()
    {
        sortStably(m_instants, [](const MemoryInstant& i) { return std::pair(i.time, i.index); });
        const auto first = static_cast<std::uint32_t>(m_builder.eventCount());
        const bool hasAddresses = std::ranges::all_of(
            m_instants, [](const MemoryInstant& i) { return i.address || i.outOfMemory; });
        device().addressesRecorded = hasAddresses;
        for (const MemoryInstant& instant : m_instants)
            addInstant(instant, hasAddresses);
        m_builder.assignEvents(m_index, {{first, static_cast<std::uint32_t>(m_builder.eventCount())}});
        if (!hasAddresses)
            m_builder.log().add(Severity::Info, "paired-by-size",
                "the trace has no addresses, so a free ends the latest allocation of its size: totals are "
                "exact, lifetimes are a guess");
        addOlderMemory();
        if (m_count == 0) {
            m_builder.log().add(Severity::Warning, "out-of-memory-alone",
                fmt::format("{} ran out of memory but has no other memory event, so it is empty", label()),
                {}, static_cast<std::int64_t>(device().outOfMemory.size()));
            device().outOfMemory.clear();
        }
    }

private:
    Device& device() { return m_builder.deviceRow(m_index); }
    std::string label() { return device().label(); }

    void addInstant(const MemoryInstant& instant, bool hasAddresses)
    {
        if (instant.outOfMemory) {
            device().outOfMemory.push_back({std::max<std::int64_t>(m_count - 1, 0), instant.bytes});
            return;
        }
        MemoryEvent event;
        event.action = instant.bytes >= 0 ? Action::Alloc : Action::Free;
        event.size = instant.bytes >= 0 ? instant.bytes : -instant.bytes;
        event.address = hasAddresses ? *instant.address : m_addresses.addressFor(instant.bytes);
        event.time = instant.time;
        event.stack = instant.stack;
        m_builder.addEvent(event);
        if (m_seenAddresses.insert(event.address).second && instant.bytes < 0)
            m_freedOlderBytes += event.size;
        checkTotals(instant);
        ++m_count;
    }

    void checkTotals(const MemoryInstant& instant)
    {
        m_sum += instant.bytes;
        m_lowestSum = std::min(m_lowestSum, m_sum);
        if (instant.totalAllocated) {
            if (!m_startTotal)
                m_startTotal = *instant.totalAllocated - m_sum;
            m_disagreementCount += *m_startTotal + m_sum != *instant.totalAllocated;
        }
        // Host memory has no reserved pool, so its reserved total is always zero.
        if (!instant.totalReserved || device().kind == DeviceKind::Cpu)
            return;
        std::vector<ReportedTotal>& reserved = device().reserved;
        if (reserved.empty())
            reserved.push_back({-1, *instant.totalReserved});
        if (reserved.back().bytes != *instant.totalReserved)
            reserved.push_back({m_count, *instant.totalReserved});
    }

    void addOlderMemory()
    {
        const Bytes start = std::max<Bytes>(m_startTotal.value_or(-m_lowestSum), 0);
        if (m_freedOlderBytes > start)
            m_builder.log().add(Severity::Warning, "frees-beyond-start",
                fmt::format("{} frees {} allocated before recording began, more than the {} that its totals "
                            "allow; the frees are used",
                    label(), formatBytes(m_freedOlderBytes), formatBytes(start)));
        if (!m_startTotal && m_count > 0)
            m_builder.log().add(Severity::Warning, "start-unknown",
                fmt::format("{} reports no totals, so its bytes are the running sum from {}, the least that "
                            "fits its events; other memory from before recording began is missing",
                    label(), formatBytes(std::max(start, m_freedOlderBytes))));
        if (m_disagreementCount > 0)
            m_builder.log().add(Severity::Warning, "total-mismatch",
                fmt::format(
                    "the total that an event of {} reports differs from the sum of the events", label()),
                {}, m_disagreementCount);
        if (start > m_freedOlderBytes)
            m_builder.addBlockFromBeforeRecording(m_index, start - m_freedOlderBytes);
    }

    TraceBuilder& m_builder;
    DeviceIndex m_index;
    std::span<MemoryInstant> m_instants;
    AddressMaker m_addresses;
    NumberSet<Address> m_seenAddresses;
    std::int64_t m_count = 0; ///< number of events so far
    Bytes m_sum = 0;
    Bytes m_lowestSum = 0;
    Bytes m_freedOlderBytes = 0; ///< bytes freed at addresses that were not seen before
    std::optional<Bytes> m_startTotal; ///< total before the first event, if totals are reported
    std::int64_t m_disagreementCount = 0;
};

} // namespace

void addDevices(
    Column<MemoryInstant> instants, const std::map<std::int64_t, Gpu>& gpus, TraceBuilder& builder)
{
    std::span<MemoryInstant> rest(instants.begin(), instants.end());
    sortStably(rest, deviceKeyOf);
    while (!rest.empty()) {
        const auto key = deviceKeyOf(rest.front());
        const auto end
            = std::ranges::find_if(rest, [&](const MemoryInstant& i) { return deviceKeyOf(i) != key; });
        const auto count = static_cast<std::size_t>(end - rest.begin());
        const DeviceIndex index = builder.device(key.first, key.second);
        Device& device = builder.deviceRow(index);
        device.quantity = Quantity::Allocated;
        device.hasFinalSegments = false;
        if (const auto gpu = gpus.find(key.second); gpu != gpus.end() && key.first != DeviceKind::Cpu) {
            device.name = gpu->second.name;
            device.capacity = gpu->second.capacity;
        }
        DeviceWriter(builder, index, rest.first(count)).writeEvents();
        rest = rest.subspan(count);
    }
}

} // namespace highwater::kineto
