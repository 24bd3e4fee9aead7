#include "importers/pytorch_snapshot/snapshot_assembler.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

/// Methods of SnapshotAssembler that say what a file covers, also one that ends early.
namespace highwater {

/// Drops the last record if it was open at the end of the file, because any of its fields may be missing.
/// Keeps an open segment, because the blocks read so far are valid.
std::span<Value> SnapshotAssembler::withoutOpenRecord(std::span<Value> items) const
{
    if (items.empty())
        return items;
    const Value& last = items.back();
    const bool isOpen = is(last, ObjectType::EmptyDict)
        || (is(last, ObjectType::GenericDict)
            && !SnapshotRecords::isLocatedSegment(m_store.container(last.index).items));
    return isOpen ? items.first(items.size() - 1) : items;
}

/// Drops the last field of an open segment if the file may end within its number (JSON) or its list of
/// frames. Returns nothing if the rest is not enough for a segment.
std::span<const Value> SnapshotAssembler::withoutOpenField(std::span<const Value> segment) const
{
    const bool isWhole = is(segment.back(), ObjectType::BlockList) || segment.size() <= 2;
    const std::span<const Value> rest = isWhole ? segment : segment.first(segment.size() - 2);
    return SnapshotRecords::isLocatedSegment(rest) ? rest : std::span<const Value>();
}

/// Returns how much of an entry was read from a file that is cut off. The last entry may lack its end, and
/// later ones are missing.
Extent SnapshotAssembler::extentOf(const Value& root, Key key) const
{
    if (!is(root, ObjectType::GenericDict)) // a list of segments contains no events
        return key == Key::Segments ? Extent::Part : Extent::Whole;
    const Value* entry = find(root, key);
    if (!entry)
        return Extent::None;
    return entry == &m_store.container(root.index).items.back() ? Extent::Part : Extent::Whole;
}

/// Returns how many of a device's events were read. Each GPU has its own list of events, in order; pinned
/// memory has one device for all lists.
Extent SnapshotAssembler::eventsRead(DeviceIndex device, const Value& root)
{
    const Device& deviceInfo = m_builder.deviceRow(device);
    const bool onHost = deviceInfo.kind == DeviceKind::HostPinned;
    const Key key = onHost ? Key::HostTraces : Key::DeviceTraces;
    const Extent extent = extentOf(root, key);
    if (extent != Extent::Part)
        return extent;
    const Value& lists = *find(root, key);
    if (is(lists, ObjectType::GenericList) && !onHost) {
        const auto count = static_cast<std::int64_t>(m_store.container(lists.index).items.size());
        if (deviceInfo.ordinal + 1 != count)
            return deviceInfo.ordinal < count ? Extent::Whole : Extent::None;
    }
    return m_builder.hasEvents(device) ? Extent::Part : Extent::None;
}

void SnapshotAssembler::describeCut(const Value& root)
{
    m_builder.metadata().cutOff = true;
    for (DeviceIndex i = 0; i < m_builder.deviceCount(); ++i) {
        Device& device = m_builder.deviceRow(i);
        device.eventsRead = eventsRead(i, root);
        device.segmentsRead
            = extentOf(root, device.kind == DeviceKind::HostPinned ? Key::HostSegments : Key::Segments);
        device.hasFinalSegments = device.eventsRead != Extent::Part && device.segmentsRead != Extent::None;
    }
}

/// Records what the events cover, so that no figure claims more than the file has.
void SnapshotAssembler::describeHistory(bool allEvents)
{
    TraceMetadata& metadata = m_builder.metadata();
    const std::size_t eventCount = m_builder.eventCount();
    metadata.hasHistory = eventCount > 1 || !allEvents;
    if (!metadata.hasHistory)
        m_builder.log().add(Severity::Warning, "no-history",
            eventCount == 0
                ? "the file has no events, only the state when it was written; history was not "
                  "recorded, or was switched off before the dump"
                : "the file has only the state when it was written and one accidental event, since "
                  "recording with enabled=\"state\" keeps no history");
    if (allEvents && !metadata.startLost && eventCount >= 10000 && eventCount % 10000 == 0)
        m_builder.log().add(Severity::Info, "round-event-count",
            fmt::format("with exactly {} events, the history buffer (max_entries) may have overflowed; then "
                        "the earliest are missing",
                formatCount(eventCount)));
}

} // namespace highwater
