#include "core/analysis/logs/oom_message.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

using Written = std::optional<WrittenBytes>;

constexpr Bytes kLargestPlausible = Bytes{1} << 50;

Written sumOfBoth(const Written& a, const Written& b)
{
    if (!a || !b)
        return std::nullopt;
    return WrittenBytes{a->bytes + b->bytes, a->rounding + b->rounding};
}

/// True if `a` is larger than `b` by more than the rounding of both.
bool exceeds(const Written& a, const Written& b)
{
    return a && b && a->bytes - b->bytes > a->rounding + b->rounding;
}

std::string writtenText(const Written& written)
{
    return written ? formatBytes(written->bytes) : std::string();
}

/// Returns a − b as text. Both must be present.
std::string difference(const Written& a, const Written& b)
{
    return formatBytes(a->bytes - b->bytes);
}

void findContradictions(const OomFigures& figures, OomReading& reading)
{
    std::vector<std::string>& contradictions = reading.contradictions;
    const std::string gpu = "a GPU of " + writtenText(figures.capacity);
    if (exceeds(figures.free, figures.capacity))
        contradictions.push_back(fmt::format("{} free on {}, {} more than it has", writtenText(figures.free),
            gpu, difference(figures.free, figures.capacity)));
    if (reading.notOnDevice)
        return;
    if (const Written allocatedAndFree = sumOfBoth(figures.allocated, figures.free);
        exceeds(allocatedAndFree, figures.capacity))
        contradictions.push_back(fmt::format("{} allocated + {} free = {} on {}",
            writtenText(figures.allocated), writtenText(figures.free), writtenText(allocatedAndFree), gpu));
    if (exceeds(reading.reserved, figures.processUsed))
        contradictions.push_back(fmt::format("{} held by PyTorch in a process that uses {}",
            writtenText(reading.reserved), writtenText(figures.processUsed)));
    if (exceeds(figures.privatePools, figures.allocated))
        contradictions.push_back(fmt::format("{} in private pools of {} allocated",
            writtenText(figures.privatePools), writtenText(figures.allocated)));
    if (exceeds(figures.allocated, figures.reserved))
        contradictions.push_back(fmt::format(
            "{} allocated of {} reserved", writtenText(figures.allocated), writtenText(figures.reserved)));
}

/// Sets `counted` and `notOnDevice` if a count of PyTorch or of this process exceeds the capacity.
void findBytesNotOnDevice(const OomFigures& figures, OomReading& reading)
{
    for (const Written& count : {figures.allocated, reading.reserved, figures.processUsed})
        if (exceeds(count, figures.capacity) && (!reading.counted || count->bytes > reading.counted->bytes))
            reading.counted = count;
    if (!reading.counted)
        return;
    const Bytes free = figures.free ? std::min(figures.free->bytes, figures.capacity->bytes) : 0;
    reading.notOnDevice = reading.counted->bytes - (figures.capacity->bytes - free);
}

Bytes sumOf(const std::vector<ProcessUse>& processes)
{
    Bytes sum = 0;
    for (const ProcessUse& process : processes)
        sum += process.used.bytes;
    return sum;
}

/// Returns the listed processes without those that are probably this one, as in `OomReading::foreign`.
std::vector<ProcessUse> foreignProcesses(const OomFigures& figures, const Written& reserved)
{
    std::vector<ProcessUse> foreign = figures.otherProcesses;
    std::erase_if(foreign, [&](const ProcessUse& process) {
        return !figures.processUsed && reserved && process.used.bytes >= reserved->bytes
            && !exceedsCudaContext(process.used.bytes - reserved->bytes);
    });
    return foreign;
}

/// True if the request and the sum of unallocated and free bytes are both within a twentieth of the capacity.
bool isNearlyFull(const OomFigures& figures, const OomReading& reading)
{
    const Bytes margin = figures.capacity ? figures.capacity->bytes / 20 : 0;
    return figures.requested->bytes <= margin && reading.unallocated->bytes + figures.free->bytes < margin;
}

/// True if the process was at its limit, but the device was not full.
bool isAtProcessLimit(const OomFigures& figures, const OomReading& reading, Bytes segment)
{
    const Written& inUse = reading.reserved ? reading.reserved : figures.allocated;
    return figures.allowed && inUse && figures.free->bytes >= segment
        && inUse->bytes + segment > figures.allowed->bytes - figures.allowed->rounding - inUse->rounding;
}

/// Returns the cause if the request alone, or a limit that the message states, decides it.
std::optional<OomCause> causeOfRequest(const OomFigures& figures)
{
    if (figures.requestIsCorrupt || (figures.requested && figures.requested->bytes >= kLargestPlausible))
        return OomCause::CorruptRequest;
    if (exceeds(figures.requested, figures.capacity))
        return OomCause::AboveCapacity;
    const bool isBuffer
        = figures.backend == "MPS" && figures.requested && !figures.allowed && !figures.allocated;
    if (isBuffer
        || (figures.requested && figures.largestAllowed
            && figures.requested->bytes > figures.largestAllowed->bytes))
        return OomCause::AllocationLimit;
    if (exceeds(figures.needed, figures.capacity))
        return OomCause::TooBig;
    return std::nullopt;
}

/// Judges a message that has the limit and the bytes in use, but no free memory, such as Metal's.
OomCause causeOfLimit(const OomFigures& figures)
{
    const Bytes otherBytes = figures.outside ? figures.outside->bytes : 0;
    const Bytes ownBytes = figures.allocated->bytes + figures.requested->bytes;
    if (ownBytes + otherBytes + figures.allowed->rounding < figures.allowed->bytes)
        return OomCause::Unexplained;
    return ownBytes <= figures.allowed->bytes && otherBytes * 2 > figures.allowed->bytes
        ? OomCause::OtherProcess
        : OomCause::ProcessCap;
}

/// Judges a message without the free memory, of which there was at most capacity − reserved.
OomCause causeOfCapacity(const OomFigures& figures, const OomReading& reading)
{
    const Bytes atMostFree = figures.capacity->bytes - reading.reserved->bytes;
    if (figures.requested->bytes > atMostFree + reading.unallocated->bytes)
        return OomCause::TooBig;
    return figures.requested->bytes <= atMostFree ? OomCause::Unexplained : OomCause::Divided;
}

OomCause causeWithoutFree(const OomFigures& figures, const OomReading& reading)
{
    if (figures.requested && figures.allowed && figures.allocated)
        return causeOfLimit(figures);
    if (figures.requested && figures.capacity && reading.reserved && reading.unallocated
        && !reading.notOnDevice)
        return causeOfCapacity(figures, reading);
    return OomCause::Unknown;
}

OomCause causeOf(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& figures = *event.figures;
    if (const std::optional<OomCause> cause = causeOfRequest(figures))
        return *cause;
    if (!reading.contradictions.empty())
        return OomCause::Nonsense;
    // PyTorch mentions this option if an expandable segment can never be as large as the request.
    if (event.text.find("expandable_segments_reserve") != std::string::npos)
        return OomCause::ReserveTooSmall;
    if (isRejection(event))
        return OomCause::ProcessCap;
    if (!figures.requested || !figures.free)
        return causeWithoutFree(figures, reading);
    if (figures.largestFree && figures.requested->bytes <= figures.free->bytes
        && figures.largestFree->bytes < figures.requested->bytes)
        return OomCause::Fragmentation;
    const Bytes requestedBytes = figures.requested->bytes;
    const Bytes segment = segmentSize(requestedBytes);
    if (isAtProcessLimit(figures, reading, segment))
        return OomCause::ProcessCap;
    if (figures.free->bytes >= segment)
        return OomCause::Unexplained;
    if (figures.capacity && exceedsCudaContext(reading.foreignBytes, figures.capacity->bytes)
        && reading.fitsWithoutForeign)
        return OomCause::OtherProcess;
    if (reading.notOnDevice)
        return OomCause::Full; // the figures do not show what is free in the allocator
    if (!reading.unallocated)
        return OomCause::Unknown;
    if (isNearlyFull(figures, reading))
        return OomCause::Full;
    if (reading.fitsUnallocated)
        return OomCause::Fragmentation;
    return requestedBytes > reading.unallocated->bytes + figures.free->bytes ? OomCause::TooBig
                                                                             : OomCause::Divided;
}

std::string aboveCapacityText(const OomFigures& figures)
{
    constexpr std::int64_t kWrongShape = 8; ///< times the capacity of the device
    const Bytes times = figures.requested->bytes / std::max<Bytes>(figures.capacity->bytes, 1);
    std::string sentence = fmt::format("{} requested on a {} of {}, ", writtenText(figures.requested),
        figures.deviceKind.empty() ? "GPU" : figures.deviceKind, writtenText(figures.capacity));
    return sentence
        + (times >= kWrongShape ? fmt::format("{} times its size, as with a wrong shape", formatCount(times))
                                : "more than it has even when empty");
}

std::string limitText(const OomFigures& figures, const OomReading& reading)
{
    if (!figures.allowed)
        return writtenText(figures.requested) + " requested, which PyTorch refused (throw_on_cudamalloc_oom)";
    if (figures.outside)
        return fmt::format("{} requested; {} allocated and {} in other allocations, of {} allowed",
            writtenText(figures.requested), writtenText(figures.allocated), writtenText(figures.outside),
            writtenText(figures.allowed));
    return fmt::format("{} requested; PyTorch holds {} of the {} this process may have{}",
        writtenText(figures.requested), writtenText(reading.reserved ? reading.reserved : figures.allocated),
        writtenText(figures.allowed),
        figures.free ? fmt::format("; {} free on the GPU", writtenText(figures.free)) : "");
}

std::string tooMuchText(const OomFigures& figures, const OomReading& reading)
{
    if (figures.needed)
        return fmt::format("the program needs {} of {}, {} short", writtenText(figures.needed),
            writtenText(figures.capacity), difference(figures.needed, figures.capacity));
    if (!figures.free)
        return fmt::format("{}, with {} reserved of {}, {} short",
            writtenText(figures.requested) + " requested", writtenText(reading.reserved),
            writtenText(figures.capacity),
            formatBytes(figures.requested->bytes - reading.unallocated->bytes - figures.capacity->bytes
                + reading.reserved->bytes));
    return fmt::format("{} > {} + {}, {} short even without fragmentation",
        writtenText(figures.requested) + " requested",
        writtenText(reading.unallocated) + " reserved but unallocated",
        writtenText(figures.free) + " free on the GPU",
        formatBytes(figures.requested->bytes - reading.unallocated->bytes - figures.free->bytes));
}

std::string unknownCauseText(const OomFigures& figures)
{
    if (figures.needed)
        return fmt::format("the program needs {} in total", writtenText(figures.needed));
    if (figures.requested && figures.free && figures.requested->bytes > figures.free->bytes)
        return fmt::format("{} > {}; the message does not give the reserved but unallocated bytes",
            writtenText(figures.requested) + " requested", writtenText(figures.free) + " free on the GPU");
    if (figures.requested)
        return fmt::format("{} requested{}; the message does not give the free memory",
            writtenText(figures.requested),
            figures.allocated ? fmt::format(" with {} allocated", writtenText(figures.allocated)) : "");
    return "the message does not give the requested, free and unallocated bytes";
}

std::string causeText(const OomFigures& figures, const OomReading& reading)
{
    const std::string requestText = writtenText(figures.requested) + " requested";
    const std::string unallocated = writtenText(reading.unallocated) + " reserved but unallocated";
    const std::string free = writtenText(figures.free) + " free on the GPU";
    switch (reading.cause) {
    case OomCause::Nonsense: return reading.contradictions.front();
    case OomCause::CorruptRequest: return "no machine has that much memory, so the number is corrupt";
    case OomCause::AboveCapacity: return aboveCapacityText(figures);
    case OomCause::AllocationLimit:
        return figures.largestAllowed ? fmt::format(
                   "{}; one allocation may have at most {}", requestText, writtenText(figures.largestAllowed))
                                      : requestText + " in one buffer, more than Metal allows for one";
    case OomCause::ReserveTooSmall:
        return fmt::format(
            "{}; an expandable segment may not be that large (expandable_segments_reserve); {}", requestText,
            free);
    case OomCause::ProcessCap: return limitText(figures, reading);
    case OomCause::OtherProcess:
        if (reading.foreign.empty())
            return fmt::format("{}; {} of {} are other allocations, PyTorch has {}", requestText,
                writtenText(figures.outside), writtenText(figures.allowed), writtenText(figures.allocated));
        return fmt::format("{}, {}; {}; without {} the request would fit", requestText, free,
            processesText(reading.foreign), reading.foreign.size() == 1 ? "it" : "them");
    case OomCause::Full:
        return reading.notOnDevice ? notOnDeviceText(reading)
                                   : fmt::format("{}; {} + {} of {}{}", requestText, unallocated, free,
                                       writtenText(figures.capacity),
                                       reading.foreign.empty() ? "" : "; " + processesText(reading.foreign));
    case OomCause::Fragmentation:
        if (figures.largestFree)
            return fmt::format(
                "{}; {}, but the largest block is {}", requestText, free, writtenText(figures.largestFree));
        return fmt::format("{} in one block; {}; {}; likely no unallocated block is large enough",
            requestText, unallocated, free);
    case OomCause::TooBig: return tooMuchText(figures, reading);
    case OomCause::Divided:
        return figures.free
            ? fmt::format("{}; {} and {}, but not in one block", requestText, unallocated, free)
            : fmt::format("{}; {} of {} and {}, but not in one block", requestText,
                formatBytes(figures.capacity->bytes - reading.reserved->bytes), writtenText(figures.capacity),
                unallocated);
    case OomCause::Unexplained:
        if (!figures.free)
            return fmt::format("{}, with only {} of {} held; perhaps a limit for one allocation, or memory "
                               "of other processes",
                requestText, writtenText(figures.allowed ? figures.allocated : reading.reserved),
                writtenText(figures.allowed ? figures.allowed : figures.capacity));
        return fmt::format(
            "{}, {}, which is enough; the message does not say why it could not be used", requestText, free);
    case OomCause::OtherPool:
    case OomCause::Unknown: break;
    }
    return unknownCauseText(figures);
}

} // namespace

OomReading readOom(const LogEvent& event)
{
    const OomFigures& figures = *event.figures;
    OomReading reading;
    reading.unallocated = figures.reservedUnallocated;
    reading.reserved
        = figures.reserved ? figures.reserved : sumOfBoth(figures.allocated, figures.reservedUnallocated);
    if (!reading.unallocated && figures.reserved && figures.allocated)
        reading.unallocated
            = WrittenBytes{std::max<Bytes>(figures.reserved->bytes - figures.allocated->bytes, 0),
                figures.reserved->rounding + figures.allocated->rounding};
    if (figures.processUsed && reading.reserved && figures.processUsed->bytes >= reading.reserved->bytes)
        reading.outsidePyTorch = figures.processUsed->bytes - reading.reserved->bytes;
    if (figures.processUsed && figures.capacity && figures.free)
        reading.otherProcessBytes
            = std::max<Bytes>(figures.capacity->bytes - figures.free->bytes - figures.processUsed->bytes, 0);
    reading.listedProcessBytes = sumOf(figures.otherProcesses);
    reading.foreign = foreignProcesses(figures, reading.reserved);
    reading.foreignBytes = sumOf(reading.foreign);
    if (figures.requested && figures.free && !reading.foreign.empty())
        reading.fitsWithoutForeign
            = figures.free->bytes + reading.foreignBytes >= segmentSize(figures.requested->bytes);
    reading.fitsUnallocated
        = figures.requested && reading.unallocated && reading.unallocated->bytes >= figures.requested->bytes;
    findBytesNotOnDevice(figures, reading);
    findContradictions(figures, reading);
    reading.cause = causeOf(event, reading);
    reading.verdict = causeText(figures, reading);
    if (const bool isFull = reading.cause == OomCause::Full; !isFull || !reading.notOnDevice)
        reading.verdict = fmt::format("{}: {}",
            isFull && reading.hasRoomElsewhere() ? "nearly full" : causeTitle(reading.cause),
            reading.verdict);
    return reading;
}

} // namespace highwater
