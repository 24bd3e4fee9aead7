#include "core/trace/trace_check.h"

#include <string>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

struct SegmentFaults
{
    std::int64_t blockSum = 0;
    std::int64_t gaps = 0;
    std::int64_t statedSums = 0;
    Address first = 0;

    bool hasAny() const { return blockSum || gaps || statedSums; }
};

struct BlockSums
{
    Bytes total = 0;
    Bytes allocated = 0;
    Bytes active = 0;
    Bytes requested = 0;
    bool isGapless = true;
};

BlockSums sumBlocks(const Trace& trace, const Segment& segment)
{
    BlockSums sums;
    Address expectedAddress = segment.address;
    for (const Block& block : trace.segments.blocksOf(segment)) {
        sums.isGapless = sums.isGapless && block.address == expectedAddress;
        expectedAddress += static_cast<Address>(block.size);
        sums.total += block.size;
        sums.allocated += block.state == BlockState::Active ? block.size : 0;
        sums.active += block.isLive() ? block.size : 0;
        sums.requested += block.isLive() ? block.requestedSize : 0;
    }
    return sums;
}

bool differsFromStated(Bytes stated, Bytes summed)
{
    return stated >= 0 && stated != summed;
}

void checkSegments(const Trace& trace, const Device& device, ImportLog& log)
{
    SegmentFaults faults;
    RowRange rows = device.segments;
    if (device.segmentsRead == Extent::Part && !rows.isEmpty())
        --rows.last; // the last segment is cut off, too
    for (const Segment& segment : trace.segments.rows(rows)) {
        const BlockSums sums = sumBlocks(trace, segment);
        const bool hasWrongSum = differsFromStated(segment.allocatedSize, sums.allocated)
            || differsFromStated(segment.activeSize, sums.active)
            || differsFromStated(segment.requestedSize, sums.requested);
        if (!faults.hasAny())
            faults.first = segment.address;
        faults.blockSum += sums.total != segment.totalSize;
        faults.gaps += !sums.isGapless;
        faults.statedSums += hasWrongSum;
    }
    const std::string where
        = fmt::format("{}, first in the segment at {}", device.label(), formatAddress(faults.first));
    if (faults.blockSum)
        log.add(Severity::Warning, "segment-size-mismatch",
            fmt::format("blocks of a segment do not add up to its size ({})", where), {}, faults.blockSum);
    if (faults.gaps)
        log.add(Severity::Warning, "segment-gaps",
            fmt::format("blocks of a segment overlap or leave gaps ({})", where), {}, faults.gaps);
    if (faults.statedSums)
        log.add(Severity::Warning, "segment-sums-mismatch",
            fmt::format("the sums of a segment differ from its blocks ({})", where), {}, faults.statedSums);
}

void checkOrderOfTimes(const Trace& trace, const Device& device, ImportLog& log)
{
    Nanoseconds last = 0;
    std::int64_t backwards = 0;
    for (std::uint32_t row = device.events.first; row < device.events.last; ++row) {
        const Nanoseconds time = trace.events.time[row];
        backwards += time != 0 && time < last;
        last = time != 0 ? time : last;
    }
    if (backwards)
        log.add(Severity::Warning, "time-not-monotonic",
            fmt::format("times of {} go backwards; the file's order is kept", device.label()), {}, backwards);
}

/// Undoes the segment events from the end and checks that reserved bytes are never negative.
void checkReserved(const Trace& trace, const Device& device, ImportLog& log)
{
    if (device.eventsRead != Extent::Whole || device.segmentsRead != Extent::Whole)
        return; // the missing part would explain any difference
    Bytes reserved = 0;
    for (const Segment& segment : trace.segments.rows(device.segments))
        reserved += segment.totalSize;
    for (std::uint32_t row = device.events.last; row-- > device.events.first;) {
        reserved -= trace.events.reservedChange(row);
        if (reserved < 0) {
            log.add(Severity::Warning, "reserved-negative",
                fmt::format("reserved bytes of {} are unreliable before event {}: counted back from the end, "
                            "they become negative",
                    device.label(), formatCount(row - device.events.first)));
            return;
        }
    }
}

} // namespace

void logPairingFaults(ImportLog& log, const Device& device, const PairingFaults& faults)
{
    const std::string firstText = faults.firstEvent < 0
        ? std::string()
        : fmt::format(", first at event {}", formatCount(faults.firstEvent));
    const auto report = [&](std::int64_t count, std::string_view code, std::string_view message) {
        if (count)
            log.add(Severity::Warning, code, fmt::format("{} ({}{})", message, device.label(), firstText), {},
                count);
    };
    report(faults.allocAtLiveAddress, "alloc-at-live-address",
        "an address in use was allocated again; the earlier block counts as freed");
    report(
        faults.freeWithoutAllocation, "free-without-allocation", "a free without an allocation is ignored");
    report(faults.sizeMismatch, "size-mismatch",
        "a freed block or a block at the end differs in size from its allocation; the allocation's size is "
        "used");
    report(faults.liveButNotInSegments, "live-not-in-segments",
        "allocations that are live at the end are missing from the segments");
    report(faults.blockWithoutAllocation, "block-without-allocation",
        "blocks that were freed by the events are live in the segments");
}

void checkTrace(const Trace& trace, ImportLog& log)
{
    for (const Device& device : trace.devices) {
        checkSegments(trace, device, log);
        checkOrderOfTimes(trace, device, log);
        checkReserved(trace, device, log);
    }
}

} // namespace highwater
