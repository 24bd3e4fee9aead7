#include "core/trace/trace_check.h"

#include <string>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// How many segments of a device are inconsistent in one way, and which is the first.
struct SegmentFault
{
    std::int64_t count = 0;
    Address first = 0;

    void countIf(bool isFaulty, const Segment& segment)
    {
        if (isFaulty && ++count == 1)
            first = segment.address;
    }

    void report(ImportLog& log, const Device& device, std::string_view code, std::string_view message) const
    {
        if (count > 0)
            log.add(Severity::Warning, code,
                fmt::format(
                    "{} ({}, first in the segment at {})", message, device.label(), formatAddress(first)),
                {}, count);
    }
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
    SegmentFault wrongSize;
    SegmentFault gaps;
    SegmentFault wrongSums;
    RowRange rows = device.segments;
    if (device.segmentsRead == Extent::Part && !rows.isEmpty())
        --rows.last; // the last segment is cut off, too
    for (const Segment& segment : trace.segments.rows(rows)) {
        const BlockSums sums = sumBlocks(trace, segment);
        const bool hasWrongSum = differsFromStated(segment.allocatedSize, sums.allocated)
            || differsFromStated(segment.activeSize, sums.active)
            || differsFromStated(segment.requestedSize, sums.requested);
        wrongSize.countIf(sums.total != segment.totalSize, segment);
        gaps.countIf(!sums.isGapless, segment);
        wrongSums.countIf(hasWrongSum, segment);
    }
    wrongSize.report(log, device, "segment-size-mismatch", "blocks of a segment do not add up to its size");
    gaps.report(log, device, "segment-gaps", "blocks of a segment overlap or leave gaps");
    wrongSums.report(log, device, "segment-sums-mismatch",
        "the sums stated for a segment differ from those of its blocks");
}

void checkOrderOfTimes(const Trace& trace, const Device& device, ImportLog& log)
{
    Nanoseconds last = 0;
    std::int64_t backwardCount = 0;
    for (std::uint32_t row = device.events.first; row < device.events.last; ++row) {
        const Nanoseconds time = trace.events.time[row];
        backwardCount += time != 0 && time < last;
        last = time != 0 ? time : last;
    }
    if (backwardCount)
        log.add(Severity::Warning, "time-not-monotonic",
            fmt::format("times of {} go backwards; the file's order is kept", device.label()), {},
            backwardCount);
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
    const auto report = [&](const EventFault& fault, std::string_view code, std::string_view message) {
        const std::string firstText
            = fault.firstEvent < 0 ? "" : fmt::format(", first at event {}", formatCount(fault.firstEvent));
        if (fault.count > 0)
            log.add(Severity::Warning, code, fmt::format("{} ({}{})", message, device.label(), firstText), {},
                fault.count);
    };
    report(faults.allocAtLiveAddress, "alloc-at-live-address",
        "an address in use was allocated again; the earlier block counts as freed");
    report(
        faults.freeWithoutAllocation, "free-without-allocation", "a free without an allocation is ignored");
    report(faults.sizeMismatch, "size-mismatch",
        "a freed block or a block at the end differs in size from its allocation; the allocation's size is "
        "used");
    report({faults.liveButNotInSegments}, "live-not-in-segments",
        "allocations that are live at the end are missing from the segments");
    report({faults.blockWithoutAllocation}, "block-without-allocation",
        "blocks that were freed according to the events are live in the segments");
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
