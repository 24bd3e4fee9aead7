#include "core/analysis/logs/oom_message.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

using Written = std::optional<WrittenBytes>;

constexpr Bytes kMostSensible = Bytes{1} << 50;

Written sum(const Written& a, const Written& b)
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

std::string text(const Written& written)
{
    return written ? formatBytes(written->bytes) : std::string();
}

std::string difference(const Written& a, const Written& b)
{
    return formatBytes(a->bytes - b->bytes);
}

void findContradictions(const OomFigures& f, OomReading& reading)
{
    std::vector<std::string>& found = reading.contradictions;
    const std::string gpu = "a GPU of " + text(f.capacity);
    if (exceeds(f.free, f.capacity))
        found.push_back(fmt::format(
            "{} free on {}, {} more than it has", text(f.free), gpu, difference(f.free, f.capacity)));
    if (reading.notOnDevice)
        return;
    if (const Written all = sum(f.allocated, f.free); exceeds(all, f.capacity))
        found.push_back(fmt::format(
            "{} allocated + {} free = {} on {}", text(f.allocated), text(f.free), text(all), gpu));
    if (exceeds(reading.reserved, f.processUsed))
        found.push_back(fmt::format(
            "{} held by PyTorch in a process that uses {}", text(reading.reserved), text(f.processUsed)));
    if (exceeds(f.privatePools, f.allocated))
        found.push_back(
            fmt::format("{} in private pools of {} allocated", text(f.privatePools), text(f.allocated)));
    if (exceeds(f.allocated, f.reserved))
        found.push_back(fmt::format("{} allocated of {} reserved", text(f.allocated), text(f.reserved)));
}

/// Returns by how much the largest figure of the allocator or of this process exceeds the device's capacity;
/// nothing if none does.
std::optional<Bytes> notOnDevice(const OomFigures& f, const OomReading& reading)
{
    std::optional<Bytes> most;
    const auto offer = [&](const Written& part, const Written& whole) {
        if (exceeds(part, whole))
            most = std::max(most.value_or(0), part->bytes - whole->bytes);
    };
    for (const Written& held : {f.allocated, reading.reserved, f.processUsed})
        offer(held, f.capacity);
    return most;
}

Bytes sumOf(const std::vector<ProcessUse>& processes)
{
    Bytes sum = 0;
    for (const ProcessUse& process : processes)
        sum += process.used.bytes;
    return sum;
}

std::vector<ProcessUse> foreignProcesses(const OomFigures& f, const Written& reserved)
{
    std::vector<ProcessUse> foreign = f.otherProcesses;
    std::erase_if(foreign, [&](const ProcessUse& process) {
        return !f.processUsed && reserved && process.used.bytes >= reserved->bytes
            && !isMoreThanAContext(process.used.bytes - reserved->bytes);
    });
    return foreign;
}

/// True if the request and the sum of unallocated and free bytes are both within a twentieth of the capacity.
bool isNearlyFull(const OomFigures& f, const OomReading& reading)
{
    const Bytes part = f.capacity ? f.capacity->bytes / 20 : 0;
    return f.requested->bytes <= part && reading.unallocated->bytes + f.free->bytes < part;
}

/// True if the process was at its limit, but the device was not full.
bool hitsCap(const OomFigures& f, const OomReading& reading, Bytes segment)
{
    const Written& held = reading.reserved ? reading.reserved : f.allocated;
    return f.allowed && held && f.free->bytes >= segment
        && held->bytes + segment > f.allowed->bytes - f.allowed->rounding - held->rounding;
}

/// Returns the cause if the request alone, or a limit that the message states, decides it.
std::optional<OomCause> causeOfRequest(const OomFigures& f)
{
    if (f.requestIsCorrupt || (f.requested && f.requested->bytes >= kMostSensible))
        return OomCause::CorruptRequest;
    if (exceeds(f.requested, f.capacity))
        return OomCause::AboveCapacity;
    const bool isBuffer = f.backend == "MPS" && f.requested && !f.allowed && !f.allocated;
    if (isBuffer || (f.requested && f.largestAllowed && f.requested->bytes > f.largestAllowed->bytes))
        return OomCause::AllocationLimit;
    if (exceeds(f.needed, f.capacity))
        return OomCause::TooBig;
    return std::nullopt;
}

/// Judges a message that has the limit and the bytes in use, but no free memory, such as Metal's.
OomCause causeOfLimit(const OomFigures& f)
{
    const Bytes others = f.outside ? f.outside->bytes : 0;
    const Bytes own = f.allocated->bytes + f.requested->bytes;
    if (own + others + f.allowed->rounding < f.allowed->bytes)
        return OomCause::Unexplained;
    return own <= f.allowed->bytes && others * 2 > f.allowed->bytes ? OomCause::OtherProcess
                                                                    : OomCause::ProcessCap;
}

/// Judges a message that does not give the free memory. At most the capacity minus the reserved bytes was
/// free.
OomCause causeOfCapacity(const OomFigures& f, const OomReading& reading)
{
    const Bytes atMostFree = f.capacity->bytes - reading.reserved->bytes;
    if (f.requested->bytes > atMostFree + reading.unallocated->bytes)
        return OomCause::TooBig;
    return f.requested->bytes <= atMostFree ? OomCause::Unexplained : OomCause::Divided;
}

OomCause causeWithoutFree(const OomFigures& f, const OomReading& reading)
{
    if (f.requested && f.allowed && f.allocated)
        return causeOfLimit(f);
    if (f.requested && f.capacity && reading.reserved && reading.unallocated && !reading.notOnDevice)
        return causeOfCapacity(f, reading);
    return OomCause::Unknown;
}

OomCause causeOf(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& f = *event.figures;
    if (const std::optional<OomCause> cause = causeOfRequest(f))
        return *cause;
    if (!reading.contradictions.empty())
        return OomCause::Nonsense;
    // PyTorch mentions this option if an expandable segment can never be as large as the request.
    if (event.text.find("expandable_segments_reserve") != std::string::npos)
        return OomCause::ReserveTooSmall;
    if (!f.requested || !f.free)
        return causeWithoutFree(f, reading);
    if (f.largestFree && f.requested->bytes <= f.free->bytes && f.largestFree->bytes < f.requested->bytes)
        return OomCause::Fragmentation;
    const Bytes wanted = f.requested->bytes;
    const Bytes segment = segmentSize(wanted);
    if (hitsCap(f, reading, segment))
        return OomCause::ProcessCap;
    if (f.free->bytes >= segment)
        return OomCause::Unexplained;
    const Bytes foreign = sumOf(reading.foreign);
    if (f.capacity && isMoreThanAContext(foreign, f.capacity->bytes) && f.free->bytes + foreign >= segment)
        return OomCause::OtherProcess;
    if (reading.notOnDevice)
        return OomCause::Full; // the figures do not show what is free in the allocator
    if (!reading.unallocated)
        return OomCause::Unknown;
    if (isNearlyFull(f, reading))
        return OomCause::Full;
    if (reading.unallocated->bytes >= wanted)
        return OomCause::Fragmentation;
    return wanted > reading.unallocated->bytes + f.free->bytes ? OomCause::TooBig : OomCause::Divided;
}

std::string aboveCapacityText(const OomFigures& f)
{
    constexpr Bytes kWrongShape = 8; ///< times the capacity of the device
    const Bytes times = f.requested->bytes / std::max<Bytes>(f.capacity->bytes, 1);
    std::string said = fmt::format("{} requested on a {} of {}, ", text(f.requested),
        f.deviceKind.empty() ? "GPU" : f.deviceKind, text(f.capacity));
    return said
        + (times >= kWrongShape ? fmt::format("{} times its size, as with a wrong shape", formatCount(times))
                                : "more than it has even when empty");
}

std::string limitText(const OomFigures& f, const OomReading& reading)
{
    if (f.outside)
        return fmt::format("{} requested; {} allocated and {} in other allocations, of {} allowed",
            text(f.requested), text(f.allocated), text(f.outside), text(f.allowed));
    return fmt::format("{} requested; PyTorch holds {} of the {} this process may have{}", text(f.requested),
        text(reading.reserved ? reading.reserved : f.allocated), text(f.allowed),
        f.free ? fmt::format("; {} free on the GPU", text(f.free)) : "");
}

std::string notOnDeviceText(const OomFigures& f, const OomReading& reading)
{
    const Written& counted = exceeds(f.processUsed, f.capacity) && !exceeds(reading.reserved, f.processUsed)
        ? f.processUsed
        : exceeds(reading.reserved, f.capacity) ? reading.reserved
                                                : f.allocated;
    return fmt::format("{} requested, {} free; {} counted on a GPU of {}, of which {} is not resident "
                       "(sleeping engine, Windows shared memory)",
        text(f.requested), text(f.free), text(counted), text(f.capacity), formatBytes(*reading.notOnDevice));
}

std::string tooMuchText(const OomFigures& f, const OomReading& reading)
{
    if (f.needed)
        return fmt::format("the program needs {} of {}, {} short", text(f.needed), text(f.capacity),
            difference(f.needed, f.capacity));
    if (!f.free)
        return fmt::format("{}, with {} reserved of {}, {} short", text(f.requested) + " requested",
            text(reading.reserved), text(f.capacity),
            formatBytes(f.requested->bytes - reading.unallocated->bytes - f.capacity->bytes
                + reading.reserved->bytes));
    return fmt::format("{} > {} + {}, {} short even without fragmentation", text(f.requested) + " requested",
        text(reading.unallocated) + " reserved but unallocated", text(f.free) + " free on the GPU",
        formatBytes(f.requested->bytes - reading.unallocated->bytes - f.free->bytes));
}

std::string unknownCauseText(const OomFigures& f)
{
    if (f.needed)
        return fmt::format("the program needs {} in all", text(f.needed));
    if (f.requested && f.free && f.requested->bytes > f.free->bytes)
        return fmt::format("{} > {}; the message does not give the reserved but unallocated bytes",
            text(f.requested) + " requested", text(f.free) + " free on the GPU");
    if (f.requested)
        return fmt::format("{} requested{}; the message does not give the free memory", text(f.requested),
            f.allocated ? fmt::format(" with {} allocated", text(f.allocated)) : "");
    return "the message does not give the requested, free and unallocated bytes";
}

std::string causeText(const OomFigures& f, const OomReading& reading)
{
    const std::string wanted = text(f.requested) + " requested";
    const std::string unallocated = text(reading.unallocated) + " reserved but unallocated";
    const std::string free = text(f.free) + " free on the GPU";
    switch (reading.cause) {
    case OomCause::Nonsense: return reading.contradictions.front();
    case OomCause::CorruptRequest: return "no machine has that much memory, so the number is corrupt";
    case OomCause::AboveCapacity: return aboveCapacityText(f);
    case OomCause::AllocationLimit:
        return f.largestAllowed
            ? fmt::format("{}; one allocation may have at most {}", wanted, text(f.largestAllowed))
            : wanted + " in one buffer, more than Metal allows for one";
    case OomCause::ReserveTooSmall:
        return fmt::format(
            "{}; an expandable segment may not be that large (expandable_segments_reserve); {}", wanted,
            free);
    case OomCause::ProcessCap: return limitText(f, reading);
    case OomCause::OtherProcess:
        if (reading.foreign.empty())
            return fmt::format("{}; {} of {} are other allocations, PyTorch has {}", wanted, text(f.outside),
                text(f.allowed), text(f.allocated));
        return fmt::format("{}, {}; {}; without {} the request would fit", wanted, free,
            processesText(reading.foreign), reading.foreign.size() == 1 ? "it" : "them");
    case OomCause::Full:
        return reading.notOnDevice
            ? notOnDeviceText(f, reading)
            : fmt::format("{}; {} + {} of {}", wanted, unallocated, free, text(f.capacity));
    case OomCause::Fragmentation:
        if (f.largestFree)
            return fmt::format("{}; {}, but the largest block is {}", wanted, free, text(f.largestFree));
        return fmt::format("{} in one block; {}; {}; likely no unallocated block is large enough", wanted,
            unallocated, free);
    case OomCause::TooBig: return tooMuchText(f, reading);
    case OomCause::Divided:
        return f.free
            ? fmt::format("{}; {} and {}, but not in one block", wanted, unallocated, free)
            : fmt::format("{}; {} of {} and {}, but not in one block", wanted,
                formatBytes(f.capacity->bytes - reading.reserved->bytes), text(f.capacity), unallocated);
    case OomCause::Unexplained:
        if (!f.free)
            return fmt::format("{}, with only {} of {} held; perhaps a limit for one allocation, or memory "
                               "of other processes",
                wanted, text(f.allowed ? f.allocated : reading.reserved),
                text(f.allowed ? f.allowed : f.capacity));
        return fmt::format(
            "{}, {}, which is enough; the message does not say why it could not be used", wanted, free);
    case OomCause::OtherPool:
    case OomCause::Unknown: break;
    }
    return unknownCauseText(f);
}

} // namespace

OomReading readOom(const LogEvent& event)
{
    const OomFigures& f = *event.figures;
    OomReading reading;
    reading.unallocated = f.reservedUnallocated;
    reading.reserved = f.reserved ? f.reserved : sum(f.allocated, f.reservedUnallocated);
    if (!reading.unallocated && f.reserved && f.allocated)
        reading.unallocated = WrittenBytes{std::max<Bytes>(f.reserved->bytes - f.allocated->bytes, 0),
            f.reserved->rounding + f.allocated->rounding};
    if (f.processUsed && reading.reserved && f.processUsed->bytes >= reading.reserved->bytes)
        reading.outsidePyTorch = f.processUsed->bytes - reading.reserved->bytes;
    if (f.processUsed && f.capacity && f.free)
        reading.othersHold = std::max<Bytes>(f.capacity->bytes - f.free->bytes - f.processUsed->bytes, 0);
    reading.otherProcesses = sumOf(f.otherProcesses);
    reading.foreign = foreignProcesses(f, reading.reserved);
    reading.notOnDevice = notOnDevice(f, reading);
    findContradictions(f, reading);
    reading.cause = causeOf(event, reading);
    reading.verdict = fmt::format("{}: {}", causeForPeople(reading.cause), causeText(f, reading));
    return reading;
}

std::string processesText(const std::vector<ProcessUse>& processes)
{
    std::string all;
    for (const ProcessUse& process : processes)
        all += fmt::format("{}process {} holds {}", all.empty() ? "" : ", ", process.process,
            formatBytes(process.used.bytes));
    return all;
}

std::string figuresText(const OomFigures& f)
{
    std::vector<std::string> parts;
    const auto add = [&](const Written& written, std::string_view name) {
        if (written)
            parts.push_back(fmt::format("{} {}", formatBytes(written->bytes), name));
    };
    add(f.requested, "requested");
    add(f.free, "free");
    add(f.capacity, "capacity");
    add(f.allowed, "allowed");
    add(f.processUsed, "in use by this process");
    add(f.allocated, "allocated by PyTorch");
    add(f.privatePools, "in private pools");
    add(f.reservedUnallocated, "reserved but unallocated");
    add(f.reserved, "reserved");
    add(f.outside, "in other allocations");
    add(f.largestFree, "in the largest free block");
    add(f.largestAllowed, "allowed for one allocation");
    add(f.needed, "needed by the program");
    for (const ProcessUse& process : f.otherProcesses)
        parts.push_back(
            fmt::format("{} in use by process {}", formatBytes(process.used.bytes), process.process));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace highwater
