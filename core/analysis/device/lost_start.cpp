#include "core/analysis/device/lost_start.h"

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// True if the block of an older allocation has the stack that allocated it, so that the recorder saw that.
bool sawAllocation(const AllocationTable& allocations, AllocationIndex i)
{
    return allocations.stackOrigin(i) == StackOrigin::Block
        && allocations.trace().stacks.hasFrames(allocations.stack(i));
}

} // namespace

std::optional<LostStart> lostStart(const AllocationTable& allocations)
{
    const Trace& trace = allocations.trace();
    if (allocations.eventCount() == 0)
        return std::nullopt;
    LostStart lost;
    Bytes olderBytes = 0;
    Bytes seenBytes = 0;
    for (AllocationIndex i = 0; i < allocations.olderCount(); ++i) {
        if (allocations.death(i) != AllocationTable::kNeverFreed)
            continue;
        olderBytes += allocations.bytes(i);
        if (!sawAllocation(allocations, i))
            continue;
        seenBytes += allocations.bytes(i);
        ++lost.allocationsAtLeast;
    }
    if (!trace.metadata.startLost && (seenBytes == 0 || seenBytes * 2 < olderBytes))
        return std::nullopt;
    if (const Nanoseconds first = trace.events.time[trace.row(allocations.device(), 0)]; first != 0)
        lost.wholeFrom = first;
    return lost;
}

std::string_view lostStartTitle(bool isRecorder)
{
    return isRecorder ? "The recording starts late" : "The profiler started late";
}

bool tellsLostStart(std::string_view title)
{
    return title.starts_with(lostStartTitle(true)) || title.starts_with(lostStartTitle(false));
}

std::string toText(const LostStart& lost)
{
    return fmt::format("{}; from event 0 on{}, no event is missing",
        lost.allocationsAtLeast == 0
            ? std::string("earlier events are lost, and the file does not show how many")
            : fmt::format("at least {} lost",
                counted(lost.allocationsAtLeast, "earlier allocation is", "earlier allocations are")),
        lost.wholeFrom ? " (" + formatTimestamp(*lost.wholeFrom) + ")" : "");
}

} // namespace highwater
