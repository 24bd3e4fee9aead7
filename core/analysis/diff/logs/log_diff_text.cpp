#include "core/analysis/diff/logs/log_diff_text.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/logs/oom_message.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/base/text_format.h"

namespace highwater {

std::string failureText(const Trace& log, const LogFailure& failure)
{
    const LogEvent& event = log.logEvents[failure.event];
    std::string text = placeText(event);
    if (failure.copies > 1)
        text += fmt::format(", written {} times", formatCount(failure.copies));
    if (!event.figures)
        return text + ": " + messageExcerpt(event);
    text += ": " + figuresText(*event.figures);
    const OomReading reading = readOom(event);
    if (reading.notOnDevice)
        text += "; " + notOnDeviceText(reading);
    for (const std::string& contradiction : reading.contradictions)
        text += "; the figures contradict each other: " + contradiction;
    return text;
}

std::string valueDeltaText(const CounterSeries& series, double delta)
{
    if (series.unit == "bytes")
        return formatBytesDelta(wholeBytes(delta));
    return fmt::format("{}{}", delta < 0 ? "−" : delta > 0 ? "+" : "", valueText(series, std::abs(delta)));
}

std::string seriesTitle(const CounterSeries& series)
{
    const bool hasWriter = series.rank || series.deviceOrdinal || series.process.starts_with("start ");
    const std::string writer = hasWriter ? writerOfSeries(series) : std::string();
    return sanitizedText(writer.empty() ? series.name : series.name + ", " + writer);
}

std::string metricText(const CounterSeries& series)
{
    std::string metric = series.metric;
    std::ranges::replace(metric, '_', ' ');
    if (constexpr std::string_view kHost = "host "; metric.starts_with(kHost))
        metric.insert(kHost.size(), "memory ");
    return sanitizedText(metric);
}

std::string measureText(const CounterSeries& series)
{
    const std::string metric = metricText(series);
    const std::string title = seriesTitle(series);
    if (metric.empty())
        return title;
    if (title.starts_with(series.metric)) // the file has no name of its own
        return metric + title.substr(series.metric.size());
    return fmt::format("{} ({})", metric, title);
}

} // namespace highwater
