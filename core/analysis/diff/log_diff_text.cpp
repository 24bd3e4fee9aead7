#include "core/analysis/diff/log_diff_text.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/diff/series_pairs.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"

namespace highwater {

std::string failureText(const Trace& log, const LogFailure& failure)
{
    const LogEvent& event = log.logEvents[failure.event];
    std::string text = placeText(event);
    if (failure.copies > 1)
        text += fmt::format(", written {} times", formatCount(failure.copies));
    if (!event.figures)
        return text + ": " + sanitizedText(event.text.substr(0, 160));
    text += ": " + figuresText(*event.figures);
    const OomReading reading = readOom(event);
    if (reading.notOnDevice)
        text
            += fmt::format("; the figures count {} more than the GPU has", formatBytes(*reading.notOnDevice));
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

std::string measureText(const CounterSeries& series)
{
    std::string metric = series.metric;
    std::ranges::replace(metric, '_', ' ');
    if (metric.empty() || metric == series.name)
        return seriesTitle(series);
    if (const std::string title = seriesTitle(series); title != series.metric)
        return fmt::format("{} ({})", sanitizedText(metric), title);
    return sanitizedText(metric);
}

} // namespace highwater
