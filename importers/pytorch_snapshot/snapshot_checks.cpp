#include <limits>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "importers/pytorch_snapshot/snapshot_records.h"

/// The checks that SnapshotRecords applies to the figures of a record.
namespace highwater {

namespace {

/// Limit for all sizes together: more than any run, and low enough that totals and percentages fit into 64
/// bits.
constexpr Bytes kMaxBytes = Bytes{1} << 56;

bool hasKey(std::uint64_t keys, Key wanted)
{
    return (keys & bit(wanted)) != 0;
}

} // namespace

/// Reports missing figures from which totals are computed, and adds the sizes to the sum that is limited.
void SnapshotRecords::checkEvent(const MemoryEvent& event, std::uint64_t keys)
{
    const bool isBlock = isAllocationAction(event.action) || isFreeAction(event.action);
    const bool isSegment = isReservingAction(event.action) || isReleasingAction(event.action);
    if (isBlock || isSegment)
        addAmount(event.size);
    const bool changesMemory = isBlock || isSegment || event.action == Action::FreeRequested;
    if ((changesMemory || event.action == Action::Oom) && !hasKey(keys, Key::Size))
        report(Severity::Warning, "missing-size", "an event has no size; 0 is used");
    if (changesMemory && !hasKey(keys, Key::Addr))
        report(Severity::Warning, "missing-address",
            "an event has no address; 0 is used, so allocations may be mistaken for each other");
}

void SnapshotRecords::checkSegment(Segment& segment, std::uint64_t keys)
{
    if (!hasKey(keys, Key::Device))
        report(Severity::Warning, "missing-device", "a segment has no device; 0 is used");
    if (!hasKey(keys, Key::AddressField))
        report(Severity::Warning, "missing-address",
            "a segment has no address; 0 is used, so its blocks may be mistaken for others");
    Bytes blocks = 0;
    for (std::uint32_t row = segment.blocks.first; row < segment.blocks.last && !m_problem; ++row) {
        const Block& block = m_builder.block(row); // counted here: segments can share a list of blocks
        addAmount(block.size);
        addAmount(block.isLive() ? block.requestedSize : 0);
        blocks += block.size;
    }
    if (!hasKey(keys, Key::TotalSize)) {
        segment.totalSize = blocks;
        report(Severity::Warning, "missing-size", "a segment has no size; the sum of its blocks is used");
    }
    addAmount(segment.totalSize);
}

Bytes SnapshotRecords::checkedSize(const Value& value)
{
    const std::optional<Bytes> size = toSize(value);
    if (!size)
        report(Severity::Warning, "size-out-of-range",
            "a size is negative, exceeds 64 bits, or is not a number; 0 is used");
    else if (*size > kLargestStoredSize)
        report(Severity::Warning, "size-implausible",
            "a size is larger than 256 TiB, which no device has; it is kept as it is");
    return size.value_or(0);
}

/// Adds to the sum of all sizes; sets `m_problem` if that exceeds its limit.
void SnapshotRecords::addAmount(Bytes size)
{
    if (size <= kMaxBytes - m_amounts) {
        m_amounts += size;
        return;
    }
    m_problem = Error{ErrorCode::LimitExceeded,
        fmt::format("its sizes add up to more than {}, which no run allocates, so totals would be wrong",
            formatBytes(kMaxBytes)),
        m_placeProvider ? std::optional<Place>(m_placeProvider()) : std::nullopt};
}

std::int64_t SnapshotRecords::checkedDevice(const Value& value)
{
    const std::optional<std::int64_t> ordinal = toInteger(value);
    if (!ordinal)
        report(Severity::Warning, "device-not-a-number", "a device is not a number; 0 is used");
    return ordinal.value_or(0);
}

Address SnapshotRecords::checkedAddress(const Value& value)
{
    if (const std::optional<Address> address = toAddress(value))
        return *address;
    report(Severity::Warning, "address-not-a-number", "an address is not a number; 0 is used");
    return 0;
}

/// Converts microseconds; reports other values and returns 0 for them.
Nanoseconds SnapshotRecords::timeOf(const Value& value)
{
    const std::optional<std::int64_t> microseconds = toInteger(value);
    if (microseconds && *microseconds >= 0 && *microseconds <= std::numeric_limits<Nanoseconds>::max() / 1000)
        return *microseconds * 1000;
    report(Severity::Warning, "time-out-of-range",
        "a time is negative, too large, or not a number; it is ignored");
    return 0;
}

} // namespace highwater
