#include "app/workspace/view/go_to_target.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/analysis/usage/event_scale.h"
#include "core/base/characters.h"
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

/// "5,701.5" → "5701.5": removes commas between groups of three digits; fails if there are commas elsewhere.
std::optional<std::string> withoutThousands(std::string_view text)
{
    if (text.find(',') == std::string_view::npos)
        return std::string(text);
    const std::string_view whole
        = text.substr(0, std::min(text.size(), text.find_first_not_of("0123456789,")));
    std::string plain;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool isPlaceOfComma = i > 0 && (whole.size() - i) % 4 == 0;
        if ((whole[i] == ',') != isPlaceOfComma)
            return std::nullopt;
        if (isDigit(whole[i]))
            plain += whole[i];
    }
    return plain + std::string(text.substr(whole.size()));
}

struct Number
{
    double value;
    std::string_view unit; ///< text after the number, without blanks before it
};

std::optional<Number> numberOf(std::string_view text)
{
    Number number{};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number.value, std::chars_format::fixed);
    if (error != std::errc() || text.empty() || !isDigit(text.front()))
        return std::nullopt;
    number.unit = trimmed(std::string_view(rest, static_cast<std::size_t>(end - rest)), kBlanks);
    return number;
}

std::optional<double> nanosecondsOf(std::string_view unit)
{
    if (unit == "ns")
        return 1;
    if (unit == "us" || unit == "µs" || unit == "μs") // both the micro sign and the Greek letter
        return 1e3;
    if (unit == "ms")
        return 1e6;
    if (unit == "s")
        return 1e9;
    return unit == "min" ? std::optional(60e9) : std::nullopt;
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
    if (!analysis.trace->hasTimes(analysis.device))
        return fail(ErrorCode::BadRequest, "the events of this trace have no times");
    const auto span = static_cast<double>(analysis.figures.span.value_or(0));
    if (nanoseconds > span)
        return fail(ErrorCode::BadRequest,
            fmt::format("the trace ends before that: it lasts {}",
                formatDuration(analysis.figures.span.value_or(0))));
    const EventScale times(*analysis.trace, analysis.device, AxisKind::Time);
    return Targets{{times.eventAt(std::round(nanoseconds)), AllocationTable::kNoAllocation}};
}

bool containsAddress(const AllocationTable& allocations, AllocationIndex i, Address address)
{
    const Address begin = allocations.address(i);
    return address >= begin
        && (address == begin || address - begin < static_cast<Address>(allocations.bytes(i)));
}

Result<Targets> targetsAtAddress(
    std::string_view digits, const DeviceAnalysis& analysis, std::optional<std::int64_t> cursor)
{
    const auto address = parsedNumber<Address>(digits, 16);
    if (!address)
        return fail(ErrorCode::BadRequest, fmt::format("\"0x{}\" is not an address", sanitizedText(digits)));
    const AllocationTable& allocations = analysis.allocations;
    Targets targets;
    for (AllocationIndex i = 0; i < allocations.size(); ++i)
        if (containsAddress(allocations, i, *address))
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
    for (const Step& step : table.steps)
        if (lowered(step.name) == wanted)
            targets.push_back({step.peakEvent, AllocationTable::kNoAllocation});
    if (!targets.empty() || !wanted.starts_with("step"))
        return targets;
    const auto number = parsedNumber<std::size_t>(trimmed(std::string_view(wanted).substr(4), kBlanks), 10);
    if (number && *number < table.steps.size())
        targets.push_back({table.steps[*number].peakEvent, AllocationTable::kNoAllocation});
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

Result<Targets> targetsAtNumber(
    std::string_view text, std::string_view asTyped, const DeviceAnalysis& analysis)
{
    const std::string_view numberPart = withoutEventWord(text);
    const bool hasWord = numberPart.size() != text.size();
    const bool hasSign = !hasWord && numberPart.starts_with('+');
    const std::optional<std::string> plain
        = withoutThousands(hasSign ? trimmed(numberPart.substr(1), kBlanks) : numberPart);
    const std::optional<Number> number = plain ? numberOf(*plain) : std::nullopt;
    if (!number)
        return notUnderstood(asTyped);
    if (number->unit.empty() && !hasSign && number->value == std::floor(number->value))
        return targetsAtEvent(number->value, analysis);
    const std::optional<double> factor = hasWord ? std::nullopt : nanosecondsOf(number->unit);
    return factor ? targetsAtTime(number->value * *factor, analysis) : notUnderstood(asTyped);
}

std::string lifetimeOf(const AllocationTable& allocations, AllocationIndex i)
{
    const std::string birth = allocations.birth(i) < 0
        ? "allocated before recording began"
        : fmt::format("born at event {}", formatCount(allocations.birth(i)));
    const std::string death = allocations.death(i) == AllocationTable::kNeverFreed
        ? "never freed"
        : fmt::format("freed at event {}", formatCount(allocations.death(i)));
    return birth + ", " + death;
}

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
        return targetsAtAddress(std::string_view(wanted).substr(2), analysis, cursor);
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
