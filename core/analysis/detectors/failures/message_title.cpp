#include "core/analysis/detectors/failures/message_title.h"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/logs/log_failures.h"
#include "core/base/text_format.h"
#include "core/base/valid_text.h"

namespace highwater {

namespace {

using Written = std::optional<WrittenBytes>;

/// A request of at least this many times the capacity of the device is attributed to a wrong shape.
constexpr std::int64_t kWrongShapeFactor = 8;

std::string writtenText(const Written& written)
{
    return written ? formatBytes(written->bytes) : "?";
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

/// Returns "; without process 4242 it would fit", or "; without 3 other processes it would fit", if ending
/// them would make room, else an empty text.
std::string fitText(const OomReading& reading)
{
    if (!reading.fitsWithoutForeign)
        return {};
    return reading.foreign.size() == 1
        ? fmt::format("; without process {} it would fit", reading.foreign.front().process)
        : fmt::format("; without {} other processes it would fit", formatCount(reading.foreign.size()));
}

std::string tooBigText(const OomFigures& figures, const OomReading& reading)
{
    if (figures.needed && figures.capacity)
        return fmt::format("the program needs {} of {}, {} too much", writtenText(figures.needed),
            writtenText(figures.capacity), formatBytes(figures.needed->bytes - figures.capacity->bytes));
    const Bytes cachedBytes = reading.unallocated ? reading.unallocated->bytes : 0;
    const Bytes freeBytes
        = figures.free ? figures.free->bytes : figures.capacity->bytes - reading.reserved->bytes;
    return fmt::format("{} requested, {} short{}", writtenText(figures.requested),
        formatBytes(figures.requested->bytes - cachedBytes - freeBytes), fitText(reading));
}

std::string notResidentText(const OomFigures& figures, const OomReading& reading)
{
    return fmt::format("{} requested; PyTorch counts {} on a {} GPU", writtenText(figures.requested),
        writtenText(reading.counted), writtenText(figures.capacity));
}

std::string aboveCapacityText(const LogEvent& event)
{
    const OomFigures& figures = *event.figures;
    const std::string kind = figures.deviceKind.empty() ? "GPU" : sanitizedText(figures.deviceKind);
    const Bytes times = figures.requested->bytes / std::max<Bytes>(figures.capacity->bytes, 1);
    return times >= kWrongShapeFactor
        ? fmt::format("{} requested, {}× the {}'s {}, likely a wrong shape", writtenText(figures.requested),
            formatCount(times), kind, writtenText(figures.capacity))
        : fmt::format("{} requested; even an empty {} has only {}", writtenText(figures.requested), kind,
            writtenText(figures.capacity));
}

std::string processCapText(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    if (isRejection(event))
        return writtenText(figures.requested)
            + " requested; throw_on_cudamalloc_oom refused it without emptying the cache";
    if (figures.outside)
        return fmt::format("{} requested; {} allocated and {} held by others, of {} allowed",
            writtenText(figures.requested), writtenText(figures.allocated), writtenText(figures.outside),
            writtenText(figures.allowed));
    return fmt::format("{} requested; the process holds {} of its {} limit", writtenText(figures.requested),
        writtenText(reading.reserved ? reading.reserved : figures.allocated), writtenText(figures.allowed));
}

std::string unknownText(const OomFigures& figures, const OomReading& reading)
{
    if (figures.needed)
        return fmt::format("the program needs {} in total", writtenText(figures.needed));
    if (!figures.requested)
        return "the message has no figures";
    const std::string requestText = writtenText(figures.requested) + " requested";
    if (reading.fitsWithoutForeign)
        return requestText + fitText(reading);
    if (figures.free)
        return fmt::format("{}, {} free", requestText, writtenText(figures.free));
    return figures.allocated ? fmt::format("{}, {} allocated", requestText, writtenText(figures.allocated))
                             : requestText;
}

std::string otherProcessTitle(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    if (reading.foreign.empty())
        return fmt::format("{}: others hold {} of {}, PyTorch {}; {} requested", titleStart(event),
            writtenText(figures.outside), writtenText(figures.allowed), writtenText(figures.allocated),
            writtenText(figures.requested));
    const bool isOne = reading.foreign.size() == 1;
    return fmt::format("{}: {} requested; it would fit without {}, which {} {}", titleStart(event),
        writtenText(figures.requested),
        isOne ? fmt::format("process {}", reading.foreign.front().process)
              : formatCount(reading.foreign.size()) + " other processes",
        isOne ? "holds" : "hold", formatBytes(reading.foreignBytes));
}

std::string causeText(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    const std::string requestText = writtenText(figures.requested) + " requested";
    switch (reading.cause) {
    case OomCause::TooBig: return tooBigText(figures, reading);
    case OomCause::Full:
        return reading.notOnDevice       ? notResidentText(figures, reading)
            : reading.fitsWithoutForeign ? requestText + fitText(reading)
            : reading.fitsUnallocated    ? requestText + ", but it fits no free block"
                                         : requestText + " on a full GPU";
    case OomCause::Fragmentation:
        return figures.largestFree ? fmt::format("{}; {} free, but the largest block is {}", requestText,
                   writtenText(figures.free), writtenText(figures.largestFree))
                                   : requestText + ", perhaps fragmentation";
    case OomCause::Divided:
        return figures.free ? fmt::format("{}, but only {} free on the GPU and {} in PyTorch's cache",
                   requestText, writtenText(figures.free), writtenText(reading.unallocated))
                            : requestText + ", which fits in total but in no single block";
    case OomCause::ProcessCap: return processCapText(event, reading);
    case OomCause::AllocationLimit:
        return figures.largestAllowed ? fmt::format("{} in one allocation, where at most {} is allowed",
                   requestText, writtenText(figures.largestAllowed))
                                      : requestText + " in one buffer, more than Metal allows for one";
    case OomCause::AboveCapacity: return aboveCapacityText(event);
    case OomCause::ReserveTooSmall:
        return requestText + ", more than an expandable segment may hold (expandable_segments_reserve)";
    case OomCause::Nonsense: return reading.contradictions.front();
    case OomCause::Unexplained: return requestText + " although the GPU is not full";
    default: return unknownText(figures, reading);
    }
}

/// Returns the first line of a message, cut to 160 bytes.
std::string quoteOf(const LogEvent& event)
{
    constexpr std::size_t kMaxBytes = 160;
    return sanitizedText(cutText(std::string_view(event.text).substr(0, event.text.find('\n')), kMaxBytes));
}

} // namespace

std::string messageTitle(const LogEvent& event, const OomReading& reading)
{
    if (reading.cause == OomCause::CorruptRequest)
        return "An impossible size was requested: a corrupt or negative number, not a lack of memory";
    const std::string title = reading.cause == OomCause::OtherProcess
        ? otherProcessTitle(event, reading)
        : titleStart(event) + ": " + causeText(event, reading);
    return event.fatal == false ? title + "; the run continued" : title;
}

std::string outsideTitle(const LogEvent& event, Bytes outside)
{
    return fmt::format("{}: {} requested; {} of the {} is used outside PyTorch's allocator{}",
        titleStart(event), writtenText(event.figures->requested), formatBytes(outside),
        writtenText(event.figures->capacity), event.fatal == false ? "; the run continued" : "");
}

std::string roomSentence(const OomFigures& figures, const OomReading& reading)
{
    const bool isExplained = reading.cause == OomCause::TooBig || reading.cause == OomCause::Full
        || reading.cause == OomCause::Fragmentation;
    if (!isExplained || !figures.free || figures.largestFree)
        return {};
    std::string room = fmt::format("The {} had {}{} free",
        figures.deviceKind.empty() ? "GPU" : sanitizedText(figures.deviceKind), writtenText(figures.free),
        figures.capacity ? " of " + writtenText(figures.capacity) : "");
    if (reading.unallocated)
        room += fmt::format(", and PyTorch's cache {}{}", writtenText(reading.unallocated),
            reading.fitsUnallocated ? ", but in no block that fits" : "");
    return room;
}

std::string messageLine(const LogEvent& event)
{
    const std::string figures = figuresText(*event.figures);
    return fmt::format("Line {}: {}", formatCount(event.line), figures.empty() ? quoteOf(event) : figures);
}

} // namespace highwater
