#include "core/analysis/usage/moment_text.h"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/analysis/usage/event_scale.h"
#include "core/base/characters.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Returns the nanoseconds of a unit in lower case; nullopt for an unknown one.
std::optional<double> nanosecondsPer(std::string_view unit)
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

} // namespace

std::optional<double> durationFromText(std::string_view text)
{
    std::string_view number = trimmed(text);
    if (number.starts_with('+'))
        number = trimmed(number.substr(1));
    const std::string plain = withoutThousands(number);
    if (plain.empty() || !isDigit(plain.front()))
        return std::nullopt;
    double value = 0;
    const char* const end = plain.data() + plain.size();
    const auto [rest, error] = std::from_chars(plain.data(), end, value, std::chars_format::fixed);
    const std::optional<double> factor
        = nanosecondsPer(lowered(trimmed(std::string_view(rest, static_cast<std::size_t>(end - rest)))));
    return error == std::errc() && factor ? std::optional(value * *factor) : std::nullopt;
}

bool namesMoment(std::string_view text)
{
    return parsedNumber<std::int64_t>(text) || durationFromText(text);
}

Result<std::int64_t> eventOfMoment(std::string_view text, const Trace& trace, DeviceIndex device)
{
    if (const std::optional<double> sinceFirst = durationFromText(text))
        return eventAtTime(*sinceFirst, trace, device);
    const auto event = parsedNumber<std::int64_t>(text);
    if (!event)
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "\"{}\" is not an event (5701) or a time since the first (12.5ms)", sanitizedText(text)));
    const std::int64_t events = trace.eventCount(device);
    if (*event < -1 || *event >= events)
        return fail(ErrorCode::BadRequest,
            fmt::format("has no event {} on {}; events are numbered 0 to {}; -1 is before the first", *event,
                trace.devices[device].words(), events - 1));
    return *event;
}

Result<std::int64_t> eventAtTime(double nanosecondsSinceFirst, const Trace& trace, DeviceIndex device)
{
    if (!trace.hasTimes(device))
        return fail(ErrorCode::BadRequest, "the events of this trace have no times");
    const EventScale times(trace, device, AxisKind::Time);
    const double last = times.positionOf(times.eventCount() - 1);
    if (nanosecondsSinceFirst > last)
        return fail(ErrorCode::BadRequest,
            fmt::format("the trace ends before that: it lasts {}", formatDuration(std::llround(last))));
    return times.eventAt(std::round(nanosecondsSinceFirst));
}

} // namespace highwater
