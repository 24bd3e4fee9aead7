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

/// By more than both were rounded.
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
    if (f.requested && f.requested->bytes >= kMostSensible)
        found.push_back(fmt::format("{} or more requested: no device has as much", text(f.requested)));
    const std::string gpu = "a GPU of " + text(f.capacity);
    const bool tooMuchAllocated = exceeds(f.allocated, f.capacity);
    if (tooMuchAllocated)
        found.push_back(fmt::format("{} allocated on {}: {} more than it has", text(f.allocated), gpu,
            difference(f.allocated, f.capacity)));
    else if (exceeds(reading.reserved, f.capacity))
        found.push_back(fmt::format("{} reserved on {}: {} more than it has", text(reading.reserved), gpu,
            difference(reading.reserved, f.capacity)));
    if (exceeds(f.free, f.capacity))
        found.push_back(fmt::format(
            "{} free on {}: {} more than it has", text(f.free), gpu, difference(f.free, f.capacity)));
    if (const Written all = sum(f.allocated, f.free); !tooMuchAllocated && exceeds(all, f.capacity))
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

/// Of the free bytes, reserved and on the device.
bool isNearlyFull(const OomFigures& f, const OomReading& reading)
{
    const Bytes part = f.capacity ? f.capacity->bytes / 20 : 0;
    return f.requested->bytes <= part && reading.unallocated->bytes + f.free->bytes < part;
}

/// Whether the process was at its limit, and the device was not.
bool hitsCap(const OomFigures& f, const OomReading& reading, Bytes segment)
{
    const Written& held = reading.reserved ? reading.reserved : f.allocated;
    return f.allowed && held && f.free->bytes >= segment
        && held->bytes + segment > f.allowed->bytes - f.allowed->rounding - held->rounding;
}

OomCause causeOf(const LogEvent& event, const OomReading& reading)
{
    const OomFigures& f = *event.figures;
    if (!reading.contradictions.empty())
        return OomCause::Nonsense;
    // As PyTorch words it where an expandable segment can never be as large as the request.
    if (event.text.find("expandable_segments_reserve") != std::string::npos)
        return OomCause::ReserveTooSmall;
    if (!f.requested || !f.free)
        return OomCause::Unknown;
    const Bytes wanted = f.requested->bytes;
    const Bytes segment = segmentSize(wanted);
    if (hitsCap(f, reading, segment))
        return OomCause::ProcessCap;
    if (f.free->bytes >= segment)
        return OomCause::Unexplained;
    const Bytes foreign = sumOf(reading.foreign);
    if (f.capacity && isMoreThanAContext(foreign, f.capacity->bytes) && f.free->bytes + foreign >= segment)
        return OomCause::OtherProcess;
    if (!reading.unallocated)
        return OomCause::Unknown;
    if (isNearlyFull(f, reading))
        return OomCause::Full;
    if (reading.unallocated->bytes >= wanted)
        return OomCause::Fragmentation;
    return wanted > reading.unallocated->bytes + f.free->bytes ? OomCause::TooBig : OomCause::Divided;
}

std::string causeText(const OomFigures& f, const OomReading& reading)
{
    const std::string wanted = text(f.requested) + " requested";
    const std::string unallocated = text(reading.unallocated) + " reserved but unallocated";
    const std::string free = text(f.free) + " free on the device";
    switch (reading.cause) {
    case OomCause::Nonsense: return reading.contradictions.front();
    case OomCause::ReserveTooSmall:
        return fmt::format(
            "{}, and the message says that an expandable segment may not become as large: raise "
            "expandable_segments_reserve; {}",
            wanted, free);
    case OomCause::ProcessCap:
        return fmt::format("{}, with {} held by PyTorch of {} that the process may have; {}", wanted,
            text(reading.reserved ? reading.reserved : f.allocated), text(f.allowed), free);
    case OomCause::OtherProcess:
        return fmt::format("{}, {}; {}: without {} the request would fit", wanted, free,
            processesText(reading.foreign), reading.foreign.size() == 1 ? "it" : "them");
    case OomCause::Full: return fmt::format("{}; {} + {} of {}", wanted, unallocated, free, text(f.capacity));
    case OomCause::Fragmentation:
        return fmt::format(
            "possible: {}; {}, and the request needs one piece; {}", wanted, unallocated, free);
    case OomCause::TooBig:
        return fmt::format("{} > {} + {}: {} too much even without any waste", wanted, unallocated, free,
            formatBytes(f.requested->bytes - reading.unallocated->bytes - f.free->bytes));
    case OomCause::Divided:
        return fmt::format("{}; {} + {} would do, but not together", wanted, unallocated, free);
    case OomCause::Unexplained:
        return fmt::format(
            "{}, and {} would do; the message does not say what forbade its use", wanted, free);
    case OomCause::OtherPool:
    case OomCause::Unknown: break;
    }
    if (f.requested && f.free && f.requested->bytes > f.free->bytes)
        return fmt::format(
            "{} > {}, and the message does not say how much is reserved but unallocated", wanted, free);
    return "the message does not tell all that it takes, what was requested, free and unallocated";
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
    if (f.processUsed && reading.reserved)
        reading.outsidePyTorch = f.processUsed->bytes - reading.reserved->bytes;
    reading.otherProcesses = sumOf(f.otherProcesses);
    reading.foreign = foreignProcesses(f, reading.reserved);
    findContradictions(f, reading);
    reading.cause = causeOf(event, reading);
    reading.verdict = fmt::format("{}: {}", toText(reading.cause), causeText(f, reading));
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
    add(f.privatePools, "of it in private pools");
    add(f.reservedUnallocated, "reserved but unallocated");
    add(f.reserved, "reserved");
    for (const ProcessUse& process : f.otherProcesses)
        parts.push_back(
            fmt::format("{} in use by process {}", formatBytes(process.used.bytes), process.process));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace highwater
