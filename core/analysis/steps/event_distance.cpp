#include "core/analysis/steps/event_distance.h"

#include <algorithm>

#include "core/base/text_format.h"

namespace highwater {

std::string distanceText(
    const Trace& trace, DeviceIndex device, const StepTable& steps, std::int64_t from, std::int64_t to)
{
    std::string text = counted(to - from, "event", "events");
    const auto first = steps.stepOf(from);
    const auto last = steps.stepOf(to);
    const bool hasSteps = first && last && *last > *first;
    const bool hasTime = trace.hasTimes(device);
    if (hasSteps)
        text += (hasTime ? ", " : " and ") + counted(*last - *first, "step", "steps");
    if (hasTime)
        text += " and "
            + formatDuration(
                trace.events.time[trace.row(device, to)] - trace.events.time[trace.row(device, from)]);
    return text;
}

std::int64_t neighbourEvent(std::int64_t event, int direction, std::int64_t eventCount)
{
    const std::int64_t last = std::max<std::int64_t>(0, eventCount - 1);
    return std::clamp<std::int64_t>(event + (direction < 0 ? -1 : 1), 0, last);
}

std::int64_t neighbourStepPeak(const StepTable& steps, std::int64_t event, int direction)
{
    const auto here = steps.stepOf(event);
    const std::int64_t wanted = here ? static_cast<std::int64_t>(*here) + (direction < 0 ? -1 : 1)
        : direction < 0              ? -1
                                     : 0;
    if (wanted < 0 || wanted >= static_cast<std::int64_t>(steps.steps.size()))
        return event;
    const Step& step = steps.steps[static_cast<std::size_t>(wanted)];
    return std::max(step.begin, step.peakEvent);
}

} // namespace highwater
