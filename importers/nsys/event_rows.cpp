#include "importers/nsys/event_rows.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/base/json.h"

namespace highwater::nsys {

namespace {

constexpr int kUserShift = 48;
/// Most contexts of a process that are searched for an address. Usually a process has one context per device.
constexpr std::size_t kMaxContexts = 64;

template <typename Value>
using ByAddress = NumberMap<std::pair<std::uint64_t, Address>, Value>;

/// A process and one of its contexts, within which addresses are unique.
using User = std::uint64_t;

class Users
{
public:
    User userOf(GlobalId process, std::int64_t context)
    {
        const auto [found, isNew] = m_users.try_emplace({process, context}, m_users.size());
        if (isNew)
            m_usersOfProcess[process].push_back(found->second);
        return found->second;
    }
    const std::vector<User>& usersOfProcess(GlobalId process) { return m_usersOfProcess[process]; }

private:
    std::map<std::pair<GlobalId, std::int64_t>, User> m_users;
    std::map<GlobalId, std::vector<User>> m_usersOfProcess;
};

/// Makes addresses unique on a device of the trace: the first user of an address keeps it.
class AddressSpace
{
public:
    Address addressFor(User user, DeviceIndex device, Address address)
    {
        const User owner = m_owners.try_emplace({device, address}, user).first->second;
        if (owner == user)
            return address;
        auto& numbers = m_numbers[device];
        const std::uint64_t number = numbers.try_emplace(user, numbers.size() + 1).first->second;
        return address ^ (number << kUserShift);
    }

private:
    ByAddress<User> m_owners;
    std::map<DeviceIndex, std::map<User, std::uint64_t>> m_numbers;
};

struct LiveBlock
{
    DeviceIndex device = 0;
    Address address = 0; ///< the block's address in the trace
    Bytes bytes = 0;
};

/// The event that a row becomes: its device, and its address and size in the trace.
struct PlacedRow
{
    std::uint32_t row = 0;
    DeviceIndex device = 0;
    Address address = 0;
    Bytes bytes = 0;
};

class EventWriter
{
public:
    EventWriter(const std::vector<MemoryRow>& rows, const DeviceMap& devices, TraceBuilder& builder)
        : m_rows(rows)
        , m_devices(devices)
        , m_builder(builder)
    {
    }

    /// Returns the number of frees that end memory allocated before recording began.
    std::int64_t addAll()
    {
        for (std::size_t first = 0, last = 0; first < m_rows.size(); first = last) {
            while (last < m_rows.size() && m_rows[last].time == m_rows[first].time)
                ++last;
            if (last - first == 1)
                place(first);
            else
                placeMoment(first, last);
        }
        std::ranges::stable_sort(m_placed, {}, &PlacedRow::device);
        writeEvents();
        return m_olderFreeCount;
    }

private:
    using Key = std::pair<User, Address>;

    Key keyOf(const MemoryRow& row) { return {m_users.userOf(row.process, row.context), row.address}; }

    /// Rows with the same time are in the order in which they were written, which may differ from the order
    /// in which the events happened.
    void placeMoment(std::size_t first, std::size_t last)
    {
        ByAddress<std::vector<std::size_t>> frees; // not placed yet; the next free of a key is at the back
        for (std::size_t i = last; i-- > first;)
            if (m_rows[i].isFree)
                frees[keyOf(m_rows[i])].push_back(i);
        std::vector<bool> isPlaced(last - first, false);
        for (std::size_t i = first; i < last; ++i) {
            if (isPlaced[i - first])
                continue;
            const auto pendingFrees = frees.find(keyOf(m_rows[i]));
            if (pendingFrees != frees.end() && !pendingFrees->second.empty()
                && (m_rows[i].isFree || m_live.contains(pendingFrees->first))) {
                const std::size_t next = pendingFrees->second.back();
                pendingFrees.value().pop_back();
                isPlaced[next - first] = true;
                place(next);
            }
            if (!isPlaced[i - first])
                place(i);
        }
    }

    void place(std::size_t index)
    {
        const MemoryRow& row = m_rows[index];
        PlacedRow placed;
        placed.row = static_cast<std::uint32_t>(index);
        placed.bytes = row.bytes;
        if (row.isFree)
            placeFree(row, placed);
        else
            placeAllocation(row, placed);
        m_placed.push_back(placed);
    }

    DeviceIndex deviceOf(const MemoryRow& row)
    {
        const bool onHost = isOfHost(row.kind);
        const std::tuple use(onHost, onHost ? 0 : row.process, onHost ? 0 : row.device);
        const auto [found, isNew] = m_deviceOfUse.try_emplace(use);
        if (isNew)
            found->second = onHost ? DeviceMap::hostDevice(m_builder)
                                   : m_devices.deviceOf({row.process, row.device}, m_builder);
        return found->second;
    }

    void placeAllocation(const MemoryRow& row, PlacedRow& placed)
    {
        const Key key = keyOf(row);
        placed.device = deviceOf(row);
        placed.address = m_addressSpace.addressFor(key.first, placed.device, row.address);
        m_live.insert_or_assign(key, LiveBlock{placed.device, placed.address, row.bytes});
        m_seen.try_emplace({placed.device, placed.address}, true);
    }

    void placeFree(const MemoryRow& row, PlacedRow& placed)
    {
        if (const std::optional<Key> key = liveKeyOf(row)) {
            const auto found = m_live.find(*key);
            placed.device = found->second.device;
            placed.address = found->second.address;
            placed.bytes = row.bytes == 0 ? found->second.bytes : row.bytes;
            m_live.erase(found);
            return;
        }
        placed.device = deviceOf(row);
        placed.address = m_addressSpace.addressFor(keyOf(row).first, placed.device, row.address);
        m_olderFreeCount += m_seen.try_emplace({placed.device, placed.address}, true).second;
    }

    std::optional<Key> liveKeyOf(const MemoryRow& row)
    {
        const Key rowKey = keyOf(row);
        if (m_live.contains(rowKey))
            return rowKey;
        const std::vector<User>& users = m_users.usersOfProcess(row.process);
        const auto end = users.begin() + static_cast<std::ptrdiff_t>(std::min(users.size(), kMaxContexts));
        const auto found = std::find_if(users.begin(), end, [&](User user) {
            return m_live.contains(Key{user, row.address});
        });
        return found == end ? std::nullopt : std::optional(Key{*found, row.address});
    }

    void writeEvents()
    {
        for (std::size_t first = 0, last = 0; first < m_placed.size(); first = last) {
            const auto begin = static_cast<std::uint32_t>(m_builder.eventCount());
            for (; last < m_placed.size() && m_placed[last].device == m_placed[first].device; ++last)
                m_builder.addEvent(eventOf(m_placed[last]));
            m_builder.assignEvents(
                m_placed[first].device, {{begin, static_cast<std::uint32_t>(m_builder.eventCount())}});
        }
    }

    MemoryEvent eventOf(const PlacedRow& placed)
    {
        const MemoryRow& row = m_rows[placed.row];
        MemoryEvent event;
        event.action = row.isFree ? Action::Free : Action::Alloc;
        event.address = placed.address;
        event.size = placed.bytes;
        event.time = row.time;
        event.stack = row.stack;
        if (row.hasStream)
            event.stream = m_builder.stream(row.stream);
        if (row.pool != 0)
            event.pool = poolOf(row);
        event.details = detailsOf(row);
        return event;
    }

    /// Numbers the pools from 1, because the export has only their addresses.
    PoolId poolOf(const MemoryRow& row)
    {
        const auto [found, isNew] = m_pools.try_emplace({row.process, row.pool}, m_pools.size() + 1);
        return m_builder.pool({0, found->second});
    }

    StringId detailsOf(const MemoryRow& row)
    {
        const auto key = std::tuple(row.kind, row.variable.value(), row.stackFoundByTime, row.pool);
        const auto [found, isNew] = m_details.try_emplace(key);
        if (!isNew)
            return found->second;
        nlohmann::ordered_json json = nlohmann::ordered_json::object();
        if (row.kind != MemoryKind::Device)
            json["memory_kind"] = toText(row.kind);
        if (!row.variable.isNone())
            json["variable"] = m_builder.strings().view(row.variable);
        if (row.pool != 0)
            json["pool_address"] = fmt::format("{:#x}", row.pool);
        if (row.stackFoundByTime)
            json["attributed"] = "by time";
        if (!json.empty())
            found->second = m_builder.strings().intern(jsonText(json));
        return found->second;
    }

    const std::vector<MemoryRow>& m_rows;
    const DeviceMap& m_devices;
    TraceBuilder& m_builder;
    Users m_users;
    AddressSpace m_addressSpace;
    ByAddress<LiveBlock> m_live; ///< by user, and address in the file
    ByAddress<bool> m_seen; ///< device and address in the trace of every row so far
    std::map<std::tuple<bool, GlobalId, std::int64_t>, DeviceIndex>
        m_deviceOfUse; ///< by (is host memory, process, device); process and device are 0 for host memory
    std::int64_t m_olderFreeCount = 0;
    std::vector<PlacedRow> m_placed;
    std::map<std::pair<GlobalId, std::uint64_t>, std::uint64_t> m_pools;
    std::map<std::tuple<MemoryKind, std::uint32_t, bool, std::uint64_t>, StringId> m_details;
};

} // namespace

void addMemoryEvents(const std::vector<MemoryRow>& rows, const DeviceMap& devices, TraceBuilder& builder)
{
    const std::int64_t olderFreeCount = EventWriter(rows, devices, builder).addAll();
    if (olderFreeCount > 0)
        builder.log().add(Severity::Info, "freed-older",
            "some memory was allocated before recording began, as its frees show; it is counted from the "
            "start",
            {}, olderFreeCount);
}

} // namespace highwater::nsys
