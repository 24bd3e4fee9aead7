#include "core/analysis/logs/oom_message.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

using Written = std::optional<WrittenBytes>;

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

OomCause causeOf(const OomFigures& f, const OomReading& reading)
{
    if (!f.requested || !f.free || !reading.unallocated)
        return OomCause::Unknown;
    const Bytes wanted = f.requested->bytes;
    if (reading.unallocated->bytes >= wanted)
        return OomCause::Fragmentation;
    if (f.free->bytes >= wanted)
        return OomCause::Unexplained;
    return wanted > reading.unallocated->bytes + f.free->bytes ? OomCause::TooBig : OomCause::Divided;
}

std::string limitText(const OomFigures& f)
{
    return f.allowed ? fmt::format("the process may have {} only", text(f.allowed))
                     : std::string("the message does not say what forbade its use");
}

std::string verdictText(const OomFigures& f, const OomReading& reading)
{
    const std::string wanted = text(f.requested);
    const std::string unallocated = text(reading.unallocated) + " reserved but unallocated";
    const std::string free = text(f.free) + " free on the device";
    switch (reading.cause) {
    case OomCause::Fragmentation:
        return fmt::format("fragmentation is possible: {} requested, and {} would do in one piece; {}",
            wanted, unallocated, free);
    case OomCause::TooBig:
        return fmt::format(
            "fragmentation is not the cause: {} requested > {} + {}: {} too much even without any waste",
            wanted, unallocated, free,
            formatBytes(f.requested->bytes - reading.unallocated->bytes - f.free->bytes));
    case OomCause::Divided:
        return fmt::format("fragmentation is possible: {} requested; {} + {} would do, but not together",
            wanted, unallocated, free);
    case OomCause::Unexplained:
        return fmt::format(
            "fragmentation is not the cause: {} requested, and {} would do; {}", wanted, free, limitText(f));
    case OomCause::Unknown: break;
    }
    if (f.requested && f.free && f.requested->bytes > f.free->bytes)
        return fmt::format("no verdict on fragmentation: {} requested > {}, and the message does not say "
                           "how much is reserved but unallocated",
            wanted, free);
    return "no verdict: the message does not tell all that it takes, what was requested, free and "
           "unallocated";
}

} // namespace

OomReading readOom(const OomFigures& f)
{
    OomReading reading;
    reading.unallocated = f.reservedUnallocated;
    reading.reserved = f.reserved ? f.reserved : sum(f.allocated, f.reservedUnallocated);
    if (!reading.unallocated && f.reserved && f.allocated)
        reading.unallocated = WrittenBytes{std::max<Bytes>(f.reserved->bytes - f.allocated->bytes, 0),
            f.reserved->rounding + f.allocated->rounding};
    if (f.processUsed && reading.reserved)
        reading.outsidePyTorch = f.processUsed->bytes - reading.reserved->bytes;
    for (const ProcessUse& process : f.otherProcesses)
        reading.otherProcesses += process.used.bytes;
    reading.cause = causeOf(f, reading);
    reading.verdict = verdictText(f, reading);
    findContradictions(f, reading);
    return reading;
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
