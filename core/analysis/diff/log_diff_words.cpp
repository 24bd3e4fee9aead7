#include "core/analysis/diff/log_diff_words.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/oom_message.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Below this share of the peak before, the peak is said not to have moved.
constexpr double kHardly = 0.01;

std::string stepText(const SeriesFigures& figures)
{
    return figures.largestStep == CounterSeries::kNoStep
        ? std::string()
        : fmt::format(" at step {}", formatCount(figures.largestStep));
}

std::string headline(const SeriesPair& pair, const CounterSeries& series)
{
    const auto before = wholeBytes(pair.beforeFigures.largest);
    const auto after = wholeBytes(pair.afterFigures.largest);
    const Bytes delta = after - before;
    const std::string what = measureText(series);
    if (delta == 0)
        return fmt::format("The peak is the same, {}, by {}.", formatBytes(before), what);
    const std::string from = fmt::format("from {}{} to {}{}", formatBytes(before),
        stepText(pair.beforeFigures), formatBytes(after), stepText(pair.afterFigures));
    const std::string share = formatRelativeDelta(before, after);
    if (static_cast<double>(std::abs(delta)) < kHardly * static_cast<double>(before))
        return fmt::format("The peak did not move in substance ({}, {}), {}, by {}.", formatBytesDelta(delta),
            share, from, what);
    return fmt::format("The peak {} by {} ({}), {}, by {}.", delta < 0 ? "fell" : "rose",
        formatBytes(std::abs(delta)), share, from, what);
}

/// What one log tells alone: "largest 44.87 GiB, allocated peak (…)".
std::string aloneText(const Trace& log)
{
    const std::optional<SeriesPair> best = bestMemorySeries(log);
    return best ? fmt::format("largest {}, {}", formatBytes(wholeBytes(best->beforeFigures.largest)),
               measureText(log.counters[best->before]))
                : std::string("no series of device memory");
}

std::string ranOutText(const Trace& log, const std::vector<LogFailure>& failures)
{
    const LogEvent& first = log.logEvents[failures.front().event];
    std::string text = failures.size() == 1
        ? fmt::format("ran out of memory ({})", placeText(first))
        : fmt::format("ran out of memory {} times (first: {})",
            formatCount(static_cast<std::int64_t>(failures.size())), placeText(first));
    if (first.figures && first.figures->requested)
        text += fmt::format(", {} requested", formatBytes(first.figures->requested->bytes));
    return text;
}

void addFailures(const LogDiff& diff, const Trace& before, const Trace& after, DiffVerdict& verdict)
{
    const bool early = !diff.beforeFailures.empty();
    const bool late = !diff.afterFailures.empty();
    if (early && late)
        verdict.details.push_back(fmt::format("The run before {}; the run after {}.",
            ranOutText(before, diff.beforeFailures), ranOutText(after, diff.afterFailures)));
    else if (early)
        verdict.details.push_back(fmt::format("The run before {}; the log of the run after tells of none.",
            ranOutText(before, diff.beforeFailures)));
    else if (late)
        verdict.details.push_back(fmt::format("The run after {}; the log of the run before tells of none.",
            ranOutText(after, diff.afterFailures)));
}

/// A peak before the failing request lies below what the run needed.
void addLowerBounds(const LogDiff& diff, DiffVerdict& verdict)
{
    const SeriesPair& pair = diff.series[*diff.compared];
    if (!diff.beforeFailures.empty() || !diff.afterFailures.empty())
        verdict.details.emplace_back(
            "Where memory ran out, the series ends before the request that failed: its peak is less than the "
            "run needed.");
    else if (2 * pair.beforeFigures.points < pair.afterFigures.points
        || 2 * pair.afterFigures.points < pair.beforeFigures.points)
        verdict.details.push_back(
            fmt::format("The runs are of different length ({} and {} points): the shorter one may not have "
                        "reached its peak.",
                formatCount(static_cast<std::int64_t>(pair.beforeFigures.points)),
                formatCount(static_cast<std::int64_t>(pair.afterFigures.points))));
}

void addHost(const LogDiff& diff, const Trace& before, DiffVerdict& verdict)
{
    for (const SeriesPair& pair : diff.series) {
        const CounterSeries& series = before.counters[pair.before];
        const double delta = pair.afterFigures.largest - pair.beforeFigures.largest;
        const bool isLevel = series.metric == "host_used" || series.metric == "host_used_peak";
        if (!pair.isBytes || !isLevel || delta == 0 || std::abs(delta) < kHardly * pair.beforeFigures.largest)
            continue;
        const auto low = wholeBytes(pair.beforeFigures.largest);
        const auto high = wholeBytes(pair.afterFigures.largest);
        verdict.details.push_back(fmt::format("Memory of the host: {} → {} ({}).", formatBytes(low),
            formatBytes(high), formatBytesDelta(high - low)));
        return;
    }
}

} // namespace

Bytes wholeBytes(double value)
{
    constexpr double most = 4e18; // differences fit too
    return static_cast<Bytes>(std::clamp(value, -most, most));
}

DiffVerdict logVerdict(const LogDiff& diff, const Trace& before, const Trace& after)
{
    DiffVerdict verdict;
    if (diff.compared) {
        const SeriesPair& pair = diff.series[*diff.compared];
        verdict.headline = headline(pair, before.counters[pair.before]);
    } else {
        verdict.headline = "The logs have no measure of device memory in common: their peaks cannot be "
                           "compared.";
        verdict.details.push_back(fmt::format("Before: {}. After: {}.", aloneText(before), aloneText(after)));
    }
    addFailures(diff, before, after, verdict);
    if (diff.compared)
        addLowerBounds(diff, verdict);
    addHost(diff, before, verdict);
    return verdict;
}

std::string failureText(const Trace& log, const LogFailure& failure)
{
    const LogEvent& event = log.logEvents[failure.event];
    std::string text = placeText(event);
    if (failure.copies > 1)
        text += fmt::format(", written {} times", formatCount(failure.copies));
    if (!event.figures)
        return text + ": " + sanitizedText(event.text.substr(0, 160));
    text += ": " + figuresText(*event.figures);
    for (const std::string& contradiction : readOom(*event.figures).contradictions)
        text += "; the figures contradict each other: " + contradiction;
    return text;
}

std::string valueDeltaText(const CounterSeries& series, double delta)
{
    if (series.unit == "bytes")
        return formatBytesDelta(wholeBytes(delta));
    return fmt::format("{}{}", delta < 0 ? "−" : delta > 0 ? "+" : "±", valueText(series, std::abs(delta)));
}

std::string seriesTitle(const CounterSeries& series)
{
    const std::string writer = series.rank || series.deviceOrdinal ? writerText(series) : std::string();
    return sanitizedText(writer.empty() ? series.name : series.name + ", " + writer);
}

std::string measureText(const CounterSeries& series)
{
    std::string metric = series.metric;
    std::replace(metric.begin(), metric.end(), '_', ' ');
    if (metric.empty() || metric == series.name)
        return seriesTitle(series);
    return fmt::format("{} ({})", sanitizedText(metric), seriesTitle(series));
}

} // namespace highwater
