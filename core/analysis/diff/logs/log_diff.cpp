#include "core/analysis/diff/logs/log_diff.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/memory_series.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A change below this share of the value before has barely moved the peak, and is left out for host memory.
constexpr double kLeastChange = 0.01;

std::string stepText(const SeriesFigures& figures)
{
    return figures.largestStep == CounterSeries::kNoStep
        ? std::string()
        : fmt::format(" at step {}", formatCount(figures.largestStep));
}

std::string peakHeadline(const SeriesPair& pair, const CounterSeries& series)
{
    const auto before = wholeBytes(pair.beforeFigures.largest);
    const auto after = wholeBytes(pair.afterFigures.largest);
    const Bytes delta = after - before;
    const std::string measure = measureText(series);
    const std::string_view subject = isSampled(series) ? "The highest sample" : "The peak";
    if (delta == 0)
        return fmt::format("{} is the same, {}, by {}.", subject, formatBytes(before), measure);
    const ChangeText text = formatChange(before, after);
    const std::string changeText = fmt::format("from {}{} to {}{}", text.before, stepText(pair.beforeFigures),
        text.after, stepText(pair.afterFigures));
    const std::string share = formatRelativeDelta(before, after);
    if (static_cast<double>(std::abs(delta)) < kLeastChange * static_cast<double>(before))
        return fmt::format(
            "{} barely moved ({}, {}), {}, by {}.", subject, text.delta, share, changeText, measure);
    return fmt::format("{} {} by {} ({}), {}, by {}.", subject, delta < 0 ? "fell" : "rose", text.size,
        formatShare(std::abs(delta), before), changeText, measure);
}

/// Returns what a log has of GPU memory: "the largest value is 44.87 GiB, allocated peak (…)".
std::string largestText(const Trace& log)
{
    const std::optional<SeriesPair> bestSeries = bestMemorySeries(log);
    return bestSeries ? fmt::format("the largest value is {}, {}",
               formatBytes(wholeBytes(bestSeries->beforeFigures.largest)),
               measureText(log.counters[bestSeries->before]))
                      : std::string("there is no series of GPU memory");
}

std::string ranOutText(const Trace& log, const std::vector<LogFailure>& failures)
{
    const LogEvent& first = log.logEvents[failures.front().event];
    std::string text = failures.size() == 1 ? fmt::format("ran out of memory ({})", placeText(first))
                                            : fmt::format("ran out of memory {} times (first: {})",
                                                formatCount(failures.size()), placeText(first));
    if (first.figures && first.figures->requested)
        text += fmt::format(", {} requested", formatBytes(first.figures->requested->bytes));
    return text;
}

void addFailures(const LogDiff& diff, const Trace& before, const Trace& after, DiffVerdict& verdict)
{
    const bool hasFailedBefore = !diff.beforeFailures.empty();
    const bool hasFailedAfter = !diff.afterFailures.empty();
    if (hasFailedBefore && hasFailedAfter)
        verdict.details.push_back(fmt::format("The earlier run {}; the later run {}.",
            ranOutText(before, diff.beforeFailures), ranOutText(after, diff.afterFailures)));
    else if (hasFailedBefore)
        verdict.details.push_back(fmt::format("The earlier run {}; the log of the later run has no failure.",
            ranOutText(before, diff.beforeFailures)));
    else if (hasFailedAfter)
        verdict.details.push_back(fmt::format("The later run {}; the log of the earlier run has no failure.",
            ranOutText(after, diff.afterFailures)));
}

/// Adds a warning if a peak is only a lower bound: the series are samples, a request failed after it, or one
/// series has more than twice the points of the other.
void addLowerBounds(const LogDiff& diff, const Trace& before, DiffVerdict& verdict)
{
    const SeriesPair& pair = diff.series[*diff.compared];
    if (isSampled(before.counters[pair.before]))
        verdict.details.emplace_back(
            "The series are samples; between two of them, memory may have been higher.");
    if (!diff.beforeFailures.empty() || !diff.afterFailures.empty())
        verdict.details.emplace_back("A series that ends with an out-of-memory error does not include the "
                                     "failed request, so the run needed more than its peak.");
    else if (2 * pair.beforeFigures.points < pair.afterFigures.points
        || 2 * pair.afterFigures.points < pair.beforeFigures.points)
        verdict.details.push_back(fmt::format(
            "The runs differ in length ({} and {} points), so the shorter one may not have reached its peak.",
            formatCount(pair.beforeFigures.points), formatCount(pair.afterFigures.points)));
}

/// Adds the first change of host memory of at least 1%.
void addHost(const LogDiff& diff, const Trace& before, DiffVerdict& verdict)
{
    for (const SeriesPair& pair : diff.series) {
        const CounterSeries& series = before.counters[pair.before];
        const double delta = pair.afterFigures.largest - pair.beforeFigures.largest;
        const bool isLevel = series.metric == "host_used" || series.metric == "host_used_peak";
        if (!pair.isBytes || !isLevel || delta == 0
            || std::abs(delta) < kLeastChange * pair.beforeFigures.largest)
            continue;
        const ChangeText text
            = formatChange(wholeBytes(pair.beforeFigures.largest), wholeBytes(pair.afterFigures.largest));
        verdict.details.push_back(
            fmt::format("Host memory went from {} to {} ({}).", text.before, text.after, text.delta));
        return;
    }
}

/// Returns the sentences on a failure that is gone: the log before has failures and the log after has none.
/// Else empty.
std::string outcomeText(const LogDiff& diff, const Trace& before, const SeriesPair& pair)
{
    if (diff.beforeFailures.empty() || !diff.afterFailures.empty())
        return {};
    return fmt::format("The later run logs no out-of-memory error and {} {}{}. The earlier run {}.",
        isSampled(before.counters[pair.before]) ? "has its highest sample at" : "peaks at",
        formatBytes(wholeBytes(pair.afterFigures.largest)), stepText(pair.afterFigures),
        ranOutText(before, diff.beforeFailures));
}

/// Describes how the peak moved, judging by the compared pair. Details are failures, host memory and
/// differing run lengths. O(failures + series).
DiffVerdict logVerdict(const LogDiff& diff, const Trace& before, const Trace& after)
{
    DiffVerdict verdict;
    bool isFailureGone = false;
    if (diff.compared) {
        const SeriesPair& pair = diff.series[*diff.compared];
        verdict.headline = peakHeadline(pair, before.counters[pair.before]);
        if (std::string outcome = outcomeText(diff, before, pair); !outcome.empty()) {
            isFailureGone = true;
            std::swap(outcome, verdict.headline);
            verdict.details.push_back(std::move(outcome));
        }
    } else {
        verdict.headline
            = "The logs have no series of GPU memory in common, so their peaks cannot be compared.";
        verdict.details.push_back(fmt::format(
            "In the earlier log, {}. In the later log, {}.", largestText(before), largestText(after)));
    }
    if (!isFailureGone)
        addFailures(diff, before, after, verdict);
    if (diff.compared)
        addLowerBounds(diff, before, verdict);
    addHost(diff, before, verdict);
    return verdict;
}

} // namespace

LogDiff diffLogs(const LogOfRun& before, const LogOfRun& after)
{
    LogDiff diff;
    diff.series = pairedSeries(before.trace, after.trace);
    if (!diff.series.empty() && measuresDeviceMemory(before.trace.counters[diff.series.front().before]))
        diff.compared = 0;
    diff.onlyBefore = before.trace.counters.size() - diff.series.size();
    diff.onlyAfter = after.trace.counters.size() - diff.series.size();
    const Device noDevice;
    diff.settings = settingChanges(
        {before.trace, noDevice, before.configuration}, {after.trace, noDevice, after.configuration});
    diff.beforeFailures = logFailures(before.trace);
    diff.afterFailures = logFailures(after.trace);
    diff.verdict = logVerdict(diff, before.trace, after.trace);
    return diff;
}

} // namespace highwater
