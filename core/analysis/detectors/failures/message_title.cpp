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
constexpr std::int64_t kWrongShape = 8;

std::string writtenText(const Written& written)
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
std::string titleStart(const LogEvent& event)
{
    std::vector<std::string> parts;
    if (event.rank)
        parts.push_back(fmt::format("rank {}", *event.rank));
    else if (!event.process.empty())
        parts.push_back(sanitizedText(event.process));
    if (event.step != LogEvent::kNoStep)
        parts.push_back(event.stepInferred ? stepText(event) : fmt::format("step {}", event.step));
    const std::string device = deviceText(event);
    return fmt::format("Out of memory{}{}{}", device.empty() ? "" : " on ", device,
        parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", ")));
}

/// Returns what other processes hold: "process 4242 holds 1.5 GiB, and without it the request fits"; empty if
/// the message lists none.
std::string foreignText(const OomReading& reading)
{
    if (reading.foreign.empty())
        return {};
    const bool isOne = reading.foreign.size() == 1;
    const std::string held = isOne
        ? processesText(reading.foreign)
        : fmt::format("{} other processes hold {}", formatCount(reading.foreign.size()),
            formatBytes(reading.foreignBytes));
    return reading.fitsWithoutForeign
        ? fmt::format("{}, and without {} the request fits", held, isOne ? "it" : "them")
        : held;
}

/// Returns the free memory, or what fills the device: "1.73 GiB of 79.11 GiB free, 112 MiB free in
/// PyTorch's cache". Other processes come first, since one can end them.
std::string roomText(const OomFigures& figures, const OomReading& reading)
{
    std::string room;
    if (figures.free)
        room = writtenText(figures.free) + (figures.capacity ? " of " + writtenText(figures.capacity) : "")
            + " free";
    else if (figures.capacity)
        room
            = fmt::format("{} of {} {}", writtenText(reading.reserved ? reading.reserved : figures.allocated),
                writtenText(figures.capacity), reading.reserved ? "reserved" : "allocated");
    else if (figures.allocated)
        room = writtenText(figures.allocated) + " allocated";
    if (reading.unallocated && figures.free)
        room += fmt::format(", {} free in PyTorch's cache{}", writtenText(reading.unallocated),
            figures.requested && reading.unallocated->bytes >= figures.requested->bytes
                ? " but in no block that fits"
                : "");
    const std::string foreign = foreignText(reading);
    return room.empty() || foreign.empty() ? room : foreign + "; " + room;
}

/// Appends the free memory to the title, as far as the message gives it.
std::string withRoom(std::string title, const OomFigures& figures, const OomReading& reading)
{
    const std::string room = roomText(figures, reading);
    return room.empty() ? title : title + "; " + room;
}

std::string tooBigText(const OomFigures& figures, const OomReading& reading)
{
    if (figures.needed && figures.capacity)
        return fmt::format("the program needs {} of {}, {} too much", writtenText(figures.needed),
            writtenText(figures.capacity), formatBytes(figures.needed->bytes - figures.capacity->bytes));
    const Bytes cachedBytes = reading.unallocated ? reading.unallocated->bytes : 0;
    const Bytes freeBytes
        = figures.free ? figures.free->bytes : figures.capacity->bytes - reading.reserved->bytes;
    return withRoom(fmt::format("{} requested, {} short", writtenText(figures.requested),
                        formatBytes(figures.requested->bytes - cachedBytes - freeBytes)),
        figures, reading);
}

std::string notResidentText(const OomFigures& figures, const OomReading& reading)
{
    return fmt::format("{} requested; PyTorch counts {} on a {} GPU, so some of it is not on the GPU",
        writtenText(figures.requested), formatBytes(figures.capacity->bytes + *reading.notOnDevice),
        writtenText(figures.capacity));
}

std::string aboveCapacityText(const LogEvent& event)
{
    const OomFigures& figures = *event.figures;
    const Bytes times = figures.requested->bytes / std::max<Bytes>(figures.capacity->bytes, 1);
    return fmt::format("{} requested on a {} of {}, {}", writtenText(figures.requested),
        figures.deviceKind.empty() ? "GPU" : sanitizedText(figures.deviceKind), writtenText(figures.capacity),
        times >= kWrongShape ? fmt::format("{} times its size: a wrong shape", formatCount(times))
                             : "which never fits, however empty it is");
}

std::string processCapText(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    if (isRejection(event))
        return fmt::format("{} requested{}; throw_on_cudamalloc_oom refused it without emptying the cache",
            writtenText(figures.requested),
            figures.allowed && reading.reserved ? fmt::format(
                " with {} of {} reserved", writtenText(reading.reserved), writtenText(figures.allowed))
                                                : "");
    if (figures.outside)
        return fmt::format("{} requested; {} allocated and {} held by others, of {} allowed",
            writtenText(figures.requested), writtenText(figures.allocated), writtenText(figures.outside),
            writtenText(figures.allowed));
    return fmt::format("{} requested by a process that holds {} of the {} that its own limit allows{}",
        writtenText(figures.requested), writtenText(reading.reserved ? reading.reserved : figures.allocated),
        writtenText(figures.allowed),
        figures.free ? fmt::format("; {} free on the GPU", writtenText(figures.free)) : "");
}

std::string unknownText(const OomFigures& figures, const OomReading& reading)
{
    if (figures.needed)
        return fmt::format("the program needs {} in all", writtenText(figures.needed));
    if (!figures.requested)
        return "the message has no figures";
    return withRoom(writtenText(figures.requested) + " requested", figures, reading);
}

std::string otherProcessTitle(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    if (reading.foreign.empty())
        return fmt::format("{}: others hold {} of {}, PyTorch {}; {} requested", titleStart(event),
            writtenText(figures.outside), writtenText(figures.allowed), writtenText(figures.allocated),
            writtenText(figures.requested));
    const bool isOne = reading.foreign.size() == 1;
    return fmt::format("{} {}: {}; without {} the {} requested would fit",
        isOne ? "Another process fills" : "Other processes fill", deviceName(event),
        processesText(reading.foreign), isOne ? "it" : "them", writtenText(figures.requested));
}

std::string causeText(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    const std::string requestText = writtenText(figures.requested) + " requested";
    switch (reading.cause) {
    case OomCause::TooBig: return tooBigText(figures, reading);
    case OomCause::Full:
        return reading.notOnDevice
            ? notResidentText(figures, reading)
            : withRoom(requestText + (reading.hasRoomElsewhere() ? "" : " on a full GPU"), figures, reading);
    case OomCause::Fragmentation:
        return figures.largestFree ? fmt::format("{}; {} free, but the largest block is {}", requestText,
                   writtenText(figures.free), writtenText(figures.largestFree))
                                   : withRoom(requestText + ", perhaps fragmentation", figures, reading);
    case OomCause::Divided:
        return figures.free
            ? fmt::format("{}; {} is free on the GPU and {} in PyTorch's cache, but neither has room for it",
                requestText, writtenText(figures.free), writtenText(reading.unallocated))
            : withRoom(requestText + ", which fits in total but in no single block", figures, reading);
    case OomCause::ProcessCap: return processCapText(event, reading);
    case OomCause::AllocationLimit:
        return figures.largestAllowed ? fmt::format("{} in one allocation, where at most {} is allowed",
                   requestText, writtenText(figures.largestAllowed))
                                      : requestText + " in one buffer, more than Metal allows for one";
    case OomCause::AboveCapacity: return aboveCapacityText(event);
    case OomCause::ReserveTooSmall:
        return requestText + ", more than an expandable segment may hold (expandable_segments_reserve)";
    case OomCause::Nonsense: return reading.contradictions.front();
    case OomCause::Unexplained:
        return withRoom(requestText + " although the GPU is not full", figures, reading);
    default: return unknownText(figures, reading);
    }
}

} // namespace

std::string messageTitle(const LogEvent& event, const OomReading& reading)
{
    if (reading.cause == OomCause::CorruptRequest)
        return "An impossible size was requested: a corrupt or negative number, not a lack of memory";
    const std::string title = reading.cause == OomCause::OtherProcess
        ? otherProcessTitle(event, reading)
        : titleStart(event) + ": " + causeText(event, reading);
    return event.fatal == false ? title + "; the run caught it and continued" : title;
}

std::string messageLine(const LogEvent& event, const std::string& title)
{
    constexpr std::size_t longestQuote = 160;
    const std::string others = figuresText(*event.figures, title);
    return fmt::format("Line {}: {}", formatCount(event.line),
        others.empty() ? sanitizedText(event.text.substr(0, longestQuote)) : others);
}

} // namespace highwater
