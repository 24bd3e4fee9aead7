#include "core/trace/counter_series.h"

namespace highwater {

std::string_view toText(StepNumbering source)
{
    constexpr std::string_view kNames[] = {"none", "record", "progress-bar", "earlier-record"};
    return kNames[static_cast<std::size_t>(source)];
}

std::string_view toText(PeakSince since)
{
    constexpr std::string_view kNames[] = {"none", "process-start", "previous-record"};
    return kNames[static_cast<std::size_t>(since)];
}

std::size_t CounterSeries::memoryBytes() const
{
    std::size_t bytes = sizeof *this + time.capacity() * sizeof time[0] + value.capacity() * sizeof value[0]
        + step.capacity() * sizeof step[0] + epoch.capacity() * sizeof epoch[0]
        + line.capacity() * sizeof line[0] + label.capacity() * sizeof label[0];
    for (const std::string& text : labels)
        bytes += sizeof text + text.size();
    return bytes;
}

} // namespace highwater
