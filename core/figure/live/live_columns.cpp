#include "core/figure/live/live_columns.h"

#include <algorithm>

#include "core/analysis/composition/band_spans.h"
#include "core/analysis/usage/pixel_columns.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

constexpr std::int64_t kFewestColumns = 1024;

/// The change of one group in a column.
struct Change
{
    std::uint32_t column = 0;
    GroupRank group = 0;
    Bytes bytes = 0;
};

/// Appends a LEB128 number.
void appendNumber(std::string& out, std::uint64_t number)
{
    while (number >= 0x80) {
        out.push_back(static_cast<char>(number | 0x80));
        number >>= 7;
    }
    out.push_back(static_cast<char>(number));
}

/// Appends a difference in zigzag encoding.
void appendDifference(std::string& out, Bytes difference)
{
    const auto bits = static_cast<std::uint64_t>(difference);
    appendNumber(out, (bits << 1) ^ (difference < 0 ? ~std::uint64_t{0} : 0));
}

/// Sorts changes by column and adds up those of the same group and column.
void joinChanges(std::vector<Change>& changes)
{
    std::ranges::sort(
        changes, {}, [](const Change& change) { return std::pair(change.column, change.group); });
    std::size_t keptCount = 0;
    for (std::size_t i = 0; i < changes.size();) {
        Change sum = changes[i];
        for (++i; i < changes.size() && changes[i].column == sum.column && changes[i].group == sum.group; ++i)
            sum.bytes += changes[i].bytes;
        if (sum.bytes != 0)
            changes[keptCount++] = sum;
    }
    changes.resize(keptCount);
}

/// Adds a change. Joins all changes before the list grows, since many allocations change the same group in
/// the same column.
void addChange(std::vector<Change>& changes, const Change& change)
{
    if (changes.size() == changes.capacity()) {
        joinChanges(changes);
        if (changes.size() > changes.capacity() / 2)
            changes.reserve(std::max<std::size_t>(kFewestColumns, 2 * changes.size()));
    }
    changes.push_back(change);
}

void addAllocations(std::vector<Change>& changes, const LiveIndex& live, const LiveGroups& groups,
    const std::vector<std::int64_t>& events)
{
    const AllocationTable& table = live.allocations();
    const auto addAt = [&](std::uint32_t column, GroupRank group, Bytes bytes) {
        if (column < events.size())
            addChange(changes, {column, group, bytes});
    };
    visitBandSpans(live, groups.bands, events, [&](const LiveSpan& span, GroupRank band) {
        const Bytes bytes = table.bytes(span.allocation);
        const GroupRank group = groups.groupOfBand[band];
        addAt(span.first, group, bytes);
        addAt(span.last, group, -bytes);
    });
}

/// Adds the largest number of reserved bytes between the beginning and the end of each column.
void addReserved(std::vector<Change>& changes, const UsageCurve& curve, GroupRank rank, std::int64_t columns)
{
    const std::vector<UsageCurve::ReservedChange>& reservedChanges = curve.reservedChanges();
    const std::int64_t events = curve.eventCount();
    std::size_t next = 0;
    Bytes reservedBytes = curve.reservedAt(-1).value_or(0);
    Bytes shownBytes = 0;
    for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t end = ((column + 1) * events + columns - 1) / columns;
        Bytes mostBytes = reservedBytes;
        for (; next < reservedChanges.size() && reservedChanges[next].event < end; ++next) {
            reservedBytes = reservedChanges[next].bytes;
            mostBytes = std::max(mostBytes, reservedBytes);
        }
        if (mostBytes != shownBytes)
            changes.push_back({static_cast<std::uint32_t>(column), rank, mostBytes - shownBytes});
        shownBytes = mostBytes;
    }
}

/// Returns `LiveColumns::changes`. `changes` are joined.
std::string encoded(const std::vector<std::int64_t>& events, const std::vector<Change>& changes)
{
    std::string out;
    std::int64_t lastEvent = 0;
    auto next = changes.begin();
    for (std::uint32_t column = 0; column < events.size(); ++column) {
        const auto end = std::find_if(
            next, changes.end(), [column](const Change& change) { return change.column != column; });
        appendNumber(out, static_cast<std::uint64_t>(events[column] - lastEvent));
        appendNumber(out, static_cast<std::uint64_t>(end - next));
        for (; next != end; ++next) {
            appendNumber(out, next->group);
            appendDifference(out, next->bytes);
        }
        lastEvent = events[column];
    }
    return out;
}

LiveColumns columnsOf(
    const DeviceStudy& study, const LiveIndex& live, const LiveGroups& groups, std::int64_t count)
{
    const auto end = static_cast<double>(study.curve.eventCount());
    const EventScale scale(study.trace, study.device, AxisKind::Event);
    std::vector<std::int64_t> events;
    events.reserve(static_cast<std::size_t>(count));
    for (const PixelColumn& column : pixelColumns(study.curve, scale, 0, end, static_cast<int>(count)))
        events.push_back(column.event);
    std::vector<Change> changes;
    addAllocations(changes, live, groups, events);
    addReserved(changes, study.curve, static_cast<GroupRank>(groups.groups.size()), count);
    joinChanges(changes);
    return {count, encoded(events, changes)};
}

} // namespace

LiveColumns liveColumns(const DeviceStudy& study, const LiveIndex& live, const LiveGroups& groups,
    std::int64_t most, std::size_t room)
{
    std::int64_t count = std::min(most, study.curve.eventCount());
    LiveColumns columns = columnsOf(study, live, groups, count);
    while (columns.changes.size() > room && count > kFewestColumns) {
        interruptionPoint();
        // Fewer columns have more changes each, so that the share of the room alone would not suffice.
        const double share = 0.9 * static_cast<double>(room) / static_cast<double>(columns.changes.size());
        count = std::max(kFewestColumns, static_cast<std::int64_t>(static_cast<double>(count) * share));
        columns = columnsOf(study, live, groups, count);
    }
    return columns;
}

} // namespace highwater
