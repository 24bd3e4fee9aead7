#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace highwater {

/// Parses a duration with its unit, "12.5ms", "+1,250 us", "0.5 s", "2min", as nanoseconds; nullopt for any
/// other text. Units are ns, us (or µs), ms, s and min; the case does not matter.
std::optional<double> durationFromText(std::string_view text);

/// True if the text names a moment, so that `eventOfMoment` can find it: an event ("5701", "-1" for before
/// the first) or the time since the first event ("12.5ms").
bool namesMoment(std::string_view text);

/// Returns the event of the device right after which the moment is: the event itself, or the last one that
/// began at or before the time. Fails with BadRequest and one sentence if the text names no moment, or if the
/// device has no such event, ends earlier or has no times. O(events) for a time.
Result<std::int64_t> eventOfMoment(std::string_view text, const Trace& trace, DeviceIndex device);
/// Returns the event at a time after the device's first event. Fails and costs as `eventOfMoment` does.
Result<std::int64_t> eventAtTime(double nanosecondsSinceFirst, const Trace& trace, DeviceIndex device);

} // namespace highwater
