#include "core/trace/trace_validate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace highwater {

namespace {

/// True if every id is none or below `size`.
template <typename Ids>
bool areWithin(const Ids& ids, std::size_t size)
{
    return std::ranges::all_of(ids, [size](const auto& id) { return id.isNone() || id.index() < size; });
}

template <typename Id>
bool isWithin(Id id, std::size_t size)
{
    return id.isNone() || id.index() < size;
}

bool isWithin(RowRange range, std::size_t size)
{
    return range.first <= range.last && range.last <= size;
}

/// The largest allowed sum of sizes, so that totals stay far from overflowing 64 bits.
constexpr Bytes kLargestSum = Bytes{1} << 60;

bool isSize(Bytes bytes)
{
    return bytes >= 0 && bytes <= kLargestStoredSize;
}

/// True for a possible size of a request. By mistake, a program may request more than any device has.
bool isRequest(Bytes bytes)
{
    return bytes >= 0 && bytes <= kLargestSum;
}

/// True if the size of such events is added to a total; sizes of failed requests and marks are not.
bool countsBytes(Action action)
{
    return isAllocationAction(action) || isFreeAction(action) || isReservingAction(action)
        || isReleasingAction(action);
}

/// True for a size of a segment or −1, which means not stated.
bool isStatedSize(Bytes bytes)
{
    return bytes == -1 || isSize(bytes);
}

/// True for a step or an index, where −1 means none.
bool isNumber(std::int64_t number)
{
    return number >= -1 && number <= kLargestStoredNumber;
}

bool isOrdinal(std::int64_t ordinal)
{
    return ordinal >= -kLargestStoredNumber && ordinal <= kLargestStoredNumber;
}

bool columnsAreEqual(const Trace& trace)
{
    const MemoryEventTable& events = trace.events;
    const ActivityTable& activities = trace.activities;
    const auto equal
        = [](std::size_t rows, const auto&... columns) { return ((columns.size() == rows) && ...); };
    return equal(events.rows(), events.address, events.size, events.time, events.stream, events.stack)
        && equal(activities.rows(), activities.name, activities.device, activities.lane, activities.begin,
            activities.end, activities.bytes)
        && trace.pairings.size() == trace.devices.size();
}

/// Adds up all sizes that can be live or reserved; −1 if the sum is impossibly large.
Bytes sumOfSizes(const Trace& trace)
{
    Bytes sum = 0;
    const auto add = [&](Bytes bytes) { sum = sum < 0 || bytes > kLargestSum - sum ? -1 : sum + bytes; };
    for (std::size_t row = 0; row < trace.events.rows(); ++row)
        if (countsBytes(trace.events.action[row]))
            add(trace.events.size[row]);
    for (const Block& block : trace.segments.blocks) {
        add(block.size);
        add(block.requestedSize);
    }
    for (const Segment& segment : trace.segments.segments)
        add(segment.totalSize);
    for (const EventPairing& pairing : trace.pairings)
        for (const std::uint32_t block : pairing.untouchedBlocks)
            add(trace.segments.blocks.requestedSize(block));
    return sum;
}

bool sizesAreSound(const Trace& trace)
{
    const MemoryEventTable& events = trace.events;
    for (std::size_t row = 0; row < events.rows(); ++row)
        if (!(countsBytes(events.action[row]) ? isSize(events.size[row]) : isRequest(events.size[row])))
            return false;
    return std::ranges::all_of(trace.segments.blocks, [](const Block& block) {
        return isSize(block.size) && isSize(block.requestedSize);
    }) && std::ranges::all_of(trace.segments.segments, [](const Segment& segment) {
        return isOrdinal(segment.deviceOrdinal) && isSize(segment.totalSize)
            && segment.address
            <= std::numeric_limits<Address>::max() - static_cast<Address>(segment.totalSize)
            && isStatedSize(segment.allocatedSize) && isStatedSize(segment.activeSize)
            && isStatedSize(segment.requestedSize);
    }) && std::ranges::all_of(trace.activities.bytes, isSize);
}

bool timesAreSound(const Trace& trace)
{
    const ActivityTable& activities = trace.activities;
    return std::ranges::all_of(trace.events.time, isStoredTime)
        && std::ranges::all_of(activities.begin, isStoredTime)
        && std::ranges::all_of(activities.end, isStoredTime) && std::ranges::is_sorted(activities.begin)
        && std::ranges::is_sorted(trace.spans, {}, &Span::begin)
        && std::ranges::all_of(
            trace.spans, [](const Span& span) { return isStoredTime(span.begin) && isStoredTime(span.end); });
}

bool eventsAreSound(const Trace& trace)
{
    const MemoryEventTable& events = trace.events;
    if (!areWithin(events.stack, trace.stacks.nodeCount()) || !areWithin(events.stream, trace.streams.size()))
        return false;
    const bool hasNoSparseFields = events.pool.empty() && events.details.empty() && events.category.empty();
    for (std::size_t row = 0; row < events.rows() && !hasNoSparseFields; ++row)
        if (!isWithin(events.pool.get(row), trace.pools.size())
            || !isWithin(events.category.get(row), trace.strings.size())
            || !isWithin(events.details.get(row), trace.strings.size()))
            return false;
    return true;
}

bool framesAreSound(const Trace& trace)
{
    for (std::size_t i = 0; i < trace.stacks.frameCount(); ++i) {
        const Frame& frame = trace.stacks.frame(FrameId(i));
        if (!isWithin(frame.function, trace.strings.size()) || !isWithin(frame.file, trace.strings.size())
            || !isWithin(frame.details, trace.strings.size()))
            return false;
    }
    return true;
}

/// Checks ids and ranges. Also checks that the segments' ranges have no more blocks in total than the
/// table, so that visiting the blocks of all segments takes O(blocks).
bool segmentsAreSound(const Trace& trace)
{
    const std::size_t blockCount = trace.segments.blocks.size();
    std::size_t blockSum = 0;
    for (const Segment& segment : trace.segments.segments) {
        if (!isWithin(segment.blocks, blockCount) || !isWithin(segment.stack, trace.stacks.nodeCount())
            || !isWithin(segment.stream, trace.streams.size()) || !isWithin(segment.pool, trace.pools.size()))
            return false;
        blockSum += segment.blocks.size();
        if (blockSum > blockCount)
            return false;
    }
    return true;
}

bool blocksAreSound(const Trace& trace)
{
    return std::ranges::all_of(trace.segments.blocks, [&](const Block& block) {
        return isWithin(block.stack, trace.stacks.nodeCount())
            && isWithin(block.category, trace.strings.size());
    });
}

bool spansAreSound(const Trace& trace)
{
    return std::ranges::all_of(
        trace.spans, [&](const Span& span) { return isWithin(span.name, trace.strings.size()); });
}

bool activitiesAreSound(const Trace& trace)
{
    return areWithin(trace.activities.name, trace.strings.size());
}

bool seriesAreSound(const Trace& trace)
{
    return std::ranges::all_of(trace.counters, [](const CounterSeries& series) {
        const auto fits
            = [&](const auto& column) { return column.empty() || column.size() == series.points(); };
        return fits(series.time) && fits(series.step) && fits(series.epoch) && fits(series.line)
            && fits(series.label) && std::ranges::all_of(series.time, isStoredTime)
            && std::ranges::all_of(series.step, isNumber)
            && std::ranges::all_of(
                series.label, [&](std::uint32_t label) { return label < series.labels.size(); });
    });
}

bool isWrittenSize(const std::optional<WrittenBytes>& written)
{
    return !written || (written->bytes >= 0 && written->bytes <= kLargestSum && isSize(written->rounding));
}

bool figuresAreSound(const OomFigures& figures)
{
    return isWrittenSize(figures.requested) && isWrittenSize(figures.capacity) && isWrittenSize(figures.free)
        && isWrittenSize(figures.allowed) && isWrittenSize(figures.processUsed)
        && isWrittenSize(figures.allocated) && isWrittenSize(figures.privatePools)
        && isWrittenSize(figures.reservedUnallocated) && isWrittenSize(figures.reserved)
        && isWrittenSize(figures.outside) && isWrittenSize(figures.largestFree)
        && isWrittenSize(figures.largestAllowed) && isWrittenSize(figures.needed)
        && std::ranges::all_of(
            figures.otherProcesses, [](const ProcessUse& use) { return isWrittenSize(use.used); });
}

bool messagesAreSound(const Trace& trace)
{
    const std::size_t textCount = trace.strings.size();
    return std::ranges::all_of(trace.logEvents, [&](const LogEvent& event) {
        return isStoredTime(event.time) && isNumber(event.step) && event.failure >= LogEvent::kNoFailure
            && event.failure < std::ssize(trace.logEvents)
            && (!event.figures || figuresAreSound(*event.figures))
            && std::ranges::all_of(event.frames, [&](const LogFrame& frame) {
                   return isWithin(frame.function, textCount) && isWithin(frame.file, textCount)
                       && isWithin(frame.source, textCount);
               });
    });
}

/// Checks that allocations and their frees point at each other, and that allocations whose free is lost point
/// at the next alloc at their address, so that lifetimes never end before they begin and nothing ends twice.
/// Other events must have no partner.
bool pairingIsSound(const Trace& trace, DeviceIndex device)
{
    const PackedColumn<std::int32_t>& partners = trace.pairings[device].partner;
    const RowRange rows = trace.devices[device].events;
    const auto actionOf = [&](std::int32_t event) {
        return trace.events.action[rows.first + static_cast<std::size_t>(event)];
    };
    const auto events = static_cast<std::int32_t>(rows.size());
    std::vector<bool> isEnd(rows.size());
    for (std::int32_t event = 0; event < events; ++event) {
        const std::int32_t partner = partners[static_cast<std::size_t>(event)];
        const Action action = actionOf(event);
        if (isAllocationAction(action) && partner != EventPairing::kNone) {
            if (partner <= event || partner >= events || isEnd[static_cast<std::size_t>(partner)])
                return false;
            isEnd[static_cast<std::size_t>(partner)] = true;
            const Action end = actionOf(partner); // the free or, if that is lost, the next alloc there
            if (!isAllocationAction(end)
                && (!isFreeAction(end) || partners[static_cast<std::size_t>(partner)] != event))
                return false;
        } else if (isFreeAction(action)) {
            const bool isPaired = partner >= 0 && partner < event && isAllocationAction(actionOf(partner))
                && partners[static_cast<std::size_t>(partner)] == event;
            if (!isPaired && partner != EventPairing::kBeforeTrace && partner != EventPairing::kUnknown)
                return false;
        } else if (partner != EventPairing::kNone) {
            return false;
        }
    }
    return true;
}

/// Checks that totals and failed requests refer to events of the device, in order.
bool reportsAreSound(const Device& device)
{
    std::int64_t previousEvent = -1;
    for (const ReportedTotal& total : device.reserved) {
        if (total.event < previousEvent || total.event >= device.events.size() || !isSize(total.bytes))
            return false;
        previousEvent = total.event;
    }
    previousEvent = 0;
    for (const OutOfMemory& failed : device.outOfMemory) {
        if (failed.event < previousEvent || failed.event >= device.events.size()
            || !isRequest(failed.requestedBytes))
            return false;
        previousEvent = failed.event;
    }
    return true;
}

bool endIsSound(const Device& device)
{
    const auto isCount = [](std::int64_t count) { return count >= 0 && count <= kLargestSum; };
    const EndState end = device.endState.value_or(EndState());
    return isCount(end.segmentCount) && isCount(end.blockCount) && isCount(end.liveBlockCount)
        && isCount(end.liveBytes) && isCount(end.liveBlockBytes) && isCount(end.reservedBytes)
        && isCount(device.capacity.value_or(0));
}

/// Checks that each device has its own rows, after those of the device before it.
bool rowsAreSound(const Trace& trace)
{
    RowRange events;
    RowRange segments;
    const auto follows = [](RowRange& previous, RowRange rows, std::size_t size) {
        const bool isAfterPrevious = isWithin(rows, size) && (rows.isEmpty() || rows.first >= previous.last);
        previous = rows.isEmpty() ? previous : rows;
        return isAfterPrevious;
    };
    for (const Device& device : trace.devices)
        if (!follows(events, device.events, trace.events.rows())
            || !follows(segments, device.segments, trace.segments.segments.size()))
            return false;
    return true;
}

bool deviceIsSound(const Trace& trace, DeviceIndex device)
{
    const EventPairing& pairing = trace.pairings[device];
    return reportsAreSound(trace.devices[device]) && endIsSound(trace.devices[device])
        && pairing.partner.size() == trace.devices[device].events.size() && pairingIsSound(trace, device)
        && std::ranges::all_of(pairing.untouchedBlocks,
            [&](std::uint32_t block) { return block < trace.segments.blocks.size(); });
}

bool devicesAreSound(const Trace& trace)
{
    for (DeviceIndex device = 0; device < trace.devices.size(); ++device)
        if (!deviceIsSound(trace, device))
            return false;
    return true;
}

struct Check
{
    bool (*holds)(const Trace& trace);
    const char* problem;
};

/// The order matters: later checks read what earlier checks have validated.
constexpr std::array kChecks{
    Check{columnsAreEqual, "columns of different length"},
    Check{eventsAreSound, "an event refers to missing data"},
    Check{framesAreSound, "a frame refers to missing data"},
    Check{segmentsAreSound, "a segment refers to missing data or to blocks of another segment"},
    Check{blocksAreSound, "a block refers to missing data"},
    Check{spansAreSound, "a span refers to missing data"},
    Check{activitiesAreSound, "an activity refers to missing data"},
    Check{timesAreSound, "times are out of order or out of range"},
    Check{seriesAreSound, "a series has columns of different length, or a time, step or label out of range"},
    Check{messagesAreSound, "a message refers to missing data or has a figure out of range"},
    Check{rowsAreSound, "rows of a device are missing or belong to another device"},
    Check{devicesAreSound, "the events or totals of a device contradict each other"},
    Check{sizesAreSound, "a size, address or device number is out of range"},
    Check{[](const Trace& trace) { return sumOfSizes(trace) >= 0; }, "the sum of sizes is out of range"},
};

} // namespace

std::string firstProblem(const Trace& trace)
{
    const auto failed
        = std::ranges::find_if(kChecks, [&](const Check& check) { return !check.holds(trace); });
    return failed == kChecks.end() ? std::string() : failed->problem;
}

} // namespace highwater
