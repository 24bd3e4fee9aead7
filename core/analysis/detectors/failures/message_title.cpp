#include "core/analysis/detectors/failures/message_title.h"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

using Written = std::optional<WrittenBytes>;

/// A request of at least this many times the capacity of the device is attributed to a wrong shape.
constexpr Bytes kWrongShape = 8;

std::string text(const Written& written)
{
    return written ? formatBytes(written->bytes) : "?";
}

/// Returns "GPU 2", "NPU" or "the GPU".
std::string deviceName(const LogEvent& event)
{
    if (std::string numbered = deviceText(event); !numbered.empty())
        return numbered;
    const std::string& kind = event.figures->deviceKind;
    return "the " + (kind.empty() ? std::string("GPU") : sanitizedText(kind));
}

/// Returns the start of the title: "Out of memory on GPU 2 (rank 2, step 12)".
std::string headOf(const LogEvent& event)
{
    std::vector<std::string> parts;
    if (event.rank)
        parts.push_back(fmt::format("rank {}", *event.rank));
    else if (!event.process.empty())
        parts.push_back(sanitizedText(event.process));
    if (event.step != LogEvent::kNoStep)
        parts.push_back(fmt::format("{}step {}", event.stepInferred ? "probably " : "", event.step));
    const std::string device = deviceText(event);
    return fmt::format("Out of memory{}{}{}", device.empty() ? "" : " on ", device,
        parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", ")));
}

/// Returns the free memory, or what fills the device: "1.73 GiB of 79.11 GiB free, 112.00 MiB free in
/// PyTorch's cache".
std::string roomText(const OomFigures& f, const OomReading& reading)
{
    std::string room;
    if (f.free)
        room = text(f.free) + (f.capacity ? " of " + text(f.capacity) : "") + " free";
    else if (f.capacity)
        room = fmt::format("{} of {} {}", text(reading.reserved ? reading.reserved : f.allocated),
            text(f.capacity), reading.reserved ? "reserved" : "allocated");
    else if (f.allocated)
        room = text(f.allocated) + " allocated";
    if (reading.unallocated && f.free)
        room += fmt::format(", {} free in PyTorch's cache", text(reading.unallocated));
    return room;
}

std::string withRoom(std::string said, const OomFigures& f, const OomReading& reading)
{
    const std::string room = roomText(f, reading);
    return room.empty() ? said : said + "; " + room;
}

std::string tooBigText(const OomFigures& f, const OomReading& reading)
{
    if (f.needed && f.capacity)
        return fmt::format("the program needs {} of {}, {} too much", text(f.needed), text(f.capacity),
            formatBytes(f.needed->bytes - f.capacity->bytes));
    const Bytes cached = reading.unallocated ? reading.unallocated->bytes : 0;
    const Bytes free = f.free ? f.free->bytes : f.capacity->bytes - reading.reserved->bytes;
    return withRoom(fmt::format("{} requested, {} short", text(f.requested),
                        formatBytes(f.requested->bytes - cached - free)),
        f, reading);
}

std::string notResidentText(const OomFigures& f, const OomReading& reading)
{
    return fmt::format("{} requested; PyTorch counts {} on a {} GPU: some of it is not on the GPU",
        text(f.requested), formatBytes(f.capacity->bytes + *reading.notOnDevice), text(f.capacity));
}

std::string aboveCapacityText(const LogEvent& event)
{
    const OomFigures& f = *event.figures;
    const Bytes times = f.requested->bytes / std::max<Bytes>(f.capacity->bytes, 1);
    return fmt::format("{} requested on a {} of {}, {}", text(f.requested),
        f.deviceKind.empty() ? "GPU" : sanitizedText(f.deviceKind), text(f.capacity),
        times >= kWrongShape ? fmt::format("{} times its size: a wrong shape", formatCount(times))
                             : "which never fits, however empty it is");
}

std::string processCapText(const OomFigures& f, const OomReading& reading)
{
    if (f.outside)
        return fmt::format("{} requested; {} allocated and {} held by others, of {} allowed",
            text(f.requested), text(f.allocated), text(f.outside), text(f.allowed));
    return fmt::format("the process is at its own limit, {} requested with {} of {} held{}",
        text(f.requested), text(reading.reserved ? reading.reserved : f.allocated), text(f.allowed),
        f.free ? fmt::format("; {} free on the GPU", text(f.free)) : "");
}

std::string unknownText(const OomFigures& f, const OomReading& reading)
{
    if (f.needed)
        return fmt::format("the program needs {} in all", text(f.needed));
    if (!f.requested)
        return "the message has no figures";
    return withRoom(text(f.requested) + " requested", f, reading);
}

std::string otherProcessTitle(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& f = *event.figures;
    if (reading.foreign.empty())
        return fmt::format("{}: others hold {} of {}, PyTorch {}; {} requested", headOf(event),
            text(f.outside), text(f.allowed), text(f.allocated), text(f.requested));
    const bool isOne = reading.foreign.size() == 1;
    return fmt::format("{} {}: {}; without {} the {} requested would fit",
        isOne ? "Another process fills" : "Other processes fill", deviceName(event),
        processesText(reading.foreign), isOne ? "it" : "them", text(f.requested));
}

std::string causeText(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& f = *event.figures;
    const std::string wanted = text(f.requested) + " requested";
    switch (reading.cause) {
    case OomCause::TooBig: return tooBigText(f, reading);
    case OomCause::Full:
        return reading.notOnDevice ? notResidentText(f, reading)
                                   : withRoom(wanted + " on a full GPU", f, reading);
    case OomCause::Fragmentation:
        return f.largestFree ? fmt::format(
                   "{}; {} free, but the largest block is {}", wanted, text(f.free), text(f.largestFree))
                             : withRoom(wanted + ", perhaps fragmentation", f, reading);
    case OomCause::Divided:
        return f.free ? fmt::format("{}; {} free on the GPU and {} in PyTorch's cache, neither enough alone",
                   wanted, text(f.free), text(reading.unallocated))
                      : withRoom(wanted + ", which fits in total but in no single block", f, reading);
    case OomCause::ProcessCap: return processCapText(f, reading);
    case OomCause::AllocationLimit:
        return f.largestAllowed
            ? fmt::format("{} in one allocation, where at most {} is allowed", wanted, text(f.largestAllowed))
            : wanted + " in one buffer, more than Metal allows for one";
    case OomCause::AboveCapacity: return aboveCapacityText(event);
    case OomCause::ReserveTooSmall:
        return wanted + ", more than an expandable segment may hold (expandable_segments_reserve)";
    case OomCause::Nonsense: return reading.contradictions.front();
    case OomCause::Unexplained: return withRoom(wanted + " although the GPU is not full", f, reading);
    default: return unknownText(f, reading);
    }
}

} // namespace

std::string messageTitle(const LogEvent& event, const OomReading& reading)
{
    if (reading.cause == OomCause::CorruptRequest)
        return "An impossible size was requested: a corrupt or negative number, not a lack of memory";
    const std::string said = reading.cause == OomCause::OtherProcess
        ? otherProcessTitle(event, reading)
        : headOf(event) + ": " + causeText(event, reading);
    return event.fatal == false ? said + "; the run caught it and continued" : said;
}

} // namespace highwater
