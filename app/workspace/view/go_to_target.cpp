#include "app/workspace/view/go_to_target.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/analysis/usage/address_owners.h"
#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::gui {

namespace {

using Targets = std::vector<GoToTarget>;

constexpr std::string_view kBlanks = " \t";

/// Removes blanks at the ends and lowers the case; only ASCII matters here.
std::string normalized(std::string_view text)
{
    return lowered(trimmed(text, kBlanks));
}

tl::unexpected<Error> notUnderstood(std::string_view text)
{
    return fail(ErrorCode::BadRequest,
        fmt::format("\"{}\" is not an event (5701), step (step 6), time (12.5ms), address (0x7f3a00001400), "
                    "peak or oom",
            sanitizedText(trimmed(text, kBlanks))));
}

Result<Targets> targetsAtEvent(double number, const DeviceAnalysis& analysis)
{
    const std::int64_t count = analysis.allocations.eventCount();
    if (count == 0)
        return fail(ErrorCode::BadRequest, "there are no events in this trace");
    if (number >= static_cast<double>(count))
        return fail(ErrorCode::BadRequest,
            fmt::format("there is no such event: the last one is event {}", formatCount(count - 1)));
    return Targets{{static_cast<std::int64_t>(number), AllocationTable::kNoAllocation}};
}

Result<Targets> targetsAtTime(double nanoseconds, const DeviceAnalysis& analysis)
{
    const Result<std::int64_t> event = eventAtTime(nanoseconds, *analysis.trace, analysis.device);
    if (!event)
        return tl::unexpected<Error>(event.error());
    return Targets{{*event, AllocationTable::kNoAllocation}};
}

Result<Targets> targetsAtAddress(
    std::string_view text, const DeviceAnalysis& analysis, std::optional<std::int64_t> cursor)
{
    const std::optional<Address> address = addressFromText(text);
    if (!address)
        return fail(ErrorCode::BadRequest, fmt::format("\"{}\" is not an address", sanitizedText(text)));
    const AllocationTable& allocations = analysis.allocations;
    Targets targets;
    for (const AllocationIndex i : AddressOwners(allocations).of(*address))
        targets.push_back({allocations.birth(i), i});
    if (targets.empty())
        return fail(ErrorCode::BadRequest,
            fmt::format("no allocation in this trace contains {}", formatAddress(*address)));
    if (cursor)
        std::stable_partition(targets.begin(), targets.end(),
            [&](const GoToTarget& target) { return allocations.isLiveAt(target.allocation, *cursor); });
    return targets;
}

Result<Targets> targetsOutOfMemory(const DeviceAnalysis& analysis)
{
    if (analysis.figures.ooms.empty())
        return fail(ErrorCode::BadRequest, "memory did not run out in this trace");
    Targets targets;
    for (const OomEvent& oom : analysis.figures.ooms)
        targets.push_back({oom.event, AllocationTable::kNoAllocation});
    return targets;
}

/// Returns the peaks of the steps with this name, or of the step with the number in "step 6".
Targets targetsAtSteps(const std::string& wanted, const DeviceAnalysis& analysis)
{
    const StepTable& table = analysis.steps;
    Targets targets;
    if (table.source == StepSource::Whole)
        return targets;
    for (std::size_t step = 0; step < table.steps.size(); ++step)
        if (lowered(table.steps[step].name) == wanted)
            targets.push_back({table.steps[step].peakEvent, AllocationTable::kNoAllocation, step});
    if (!targets.empty() || !wanted.starts_with("step"))
        return targets;
    const auto number = parsedNumber<std::size_t>(trimmed(std::string_view(wanted).substr(4), kBlanks), 10);
    if (number && *number < table.steps.size())
        targets.push_back({table.steps[*number].peakEvent, AllocationTable::kNoAllocation, *number});
    return targets;
}

/// "event 5701", "e5701" → "5701"; anything else is returned unchanged.
std::string_view withoutEventWord(std::string_view text)
{
    for (const std::string_view word : {std::string_view("event"), std::string_view("e")})
        if (text.starts_with(word))
            return trimmed(text.substr(word.size()), kBlanks);
    return text;
}

/// Finds the event or the time in a text with a number; `asTyped` is for the error.
Result<Targets> targetsAtNumber(
    std::string_view text, std::string_view asTyped, const DeviceAnalysis& analysis)
{
    const std::string_view number = withoutEventWord(text);
    const bool hasWord = number.size() != text.size();
    const std::string plain = withoutThousands(number);
    if (!plain.empty() && plain.find_first_not_of("0123456789") == std::string::npos)
        return targetsAtEvent(
            parsedNumber<double>(plain).value_or(std::numeric_limits<double>::infinity()), analysis);
    const std::optional<double> time = hasWord ? std::nullopt : durationFromText(text);
    return time ? targetsAtTime(*time, analysis) : notUnderstood(asTyped);
}

std::string lifetimeOf(const AllocationTable& allocations, AllocationIndex i)
{
    const std::string birth = allocations.birth(i) < 0
        ? "allocated before recording began"
        : fmt::format("allocated at event {}", formatCount(allocations.birth(i)));
    const std::string death = allocations.death(i) == AllocationTable::kNeverFreed
        ? "never freed"
        : fmt::format("freed at event {}", formatCount(allocations.death(i)));
    return birth + ", " + death;
}

/// Returns the time from the first event to this one.
Nanoseconds timeSinceFirst(std::int64_t event, const DeviceAnalysis& analysis)
{
    const auto times = analysis.trace->events.time.begin()
        + static_cast<std::ptrdiff_t>(analysis.trace->row(analysis.device, 0));
    if (times[0] != 0 && times[event] >= times[0])
        return times[event] - times[0];
    // Times are missing or decrease: only the scale, which reads all of them, gives the position.
    const EventScale scale(*analysis.trace, analysis.device, AxisKind::Time);
    return static_cast<Nanoseconds>(scale.positionOf(event));
}

} // namespace

Result<std::vector<GoToTarget>> parseGoTo(
    const std::string& text, const DeviceAnalysis& analysis, std::optional<std::int64_t> cursor)
{
    const std::string wanted = normalized(text);
    if (wanted.empty())
        return fail(ErrorCode::BadRequest, "type an event, a step, a time, an address, peak or oom");
    if (wanted == "peak")
        return Targets{{analysis.figures.peakEvent, AllocationTable::kNoAllocation}};
    if (wanted == "oom")
        return targetsOutOfMemory(analysis);
    if (wanted.starts_with("0x"))
        return targetsAtAddress(wanted, analysis, cursor);
    if (Targets steps = targetsAtSteps(wanted, analysis); !steps.empty())
        return steps;
    if (wanted.starts_with("step"))
        return fail(ErrorCode::BadRequest,
            fmt::format("there is no such step: the recording has {}",
                counted(static_cast<std::int64_t>(analysis.steps.steps.size()), "step", "steps")));
    return targetsAtNumber(wanted, text, analysis);
}

std::string describe(const GoToTarget& target, const DeviceAnalysis& analysis)
{
    const AllocationTable& allocations = analysis.allocations;
    if (target.allocation != AllocationTable::kNoAllocation)
        return fmt::format("{}{} {} at {} · {}", allocations.isInferred(target.allocation) ? "≥ " : "",
            formatBytes(allocations.bytes(target.allocation)), toText(allocations.quantity()),
            formatAddress(allocations.address(target.allocation)),
            lifetimeOf(allocations, target.allocation));
    if (target.event < 0)
        return "the start of the trace";
    std::string text
        = fmt::format("event {} of {}", formatCount(target.event), formatCount(allocations.eventCount()));
    if (analysis.trace->hasTimes(analysis.device))
        text += " · +" + formatDuration(timeSinceFirst(target.event, analysis));
    return text;
}

} // namespace highwater::gui
