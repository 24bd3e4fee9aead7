#include "core/analysis/logs/memory_series.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/series_pairs.h"

// Decides which series of a log are shown first and drawn. Input: the series of one log. The best measure of
// GPU memory decides which GPU is the log's own. Example: a tracker logs `allocated_bytes.all.current`,
// `allocated_bytes.all.peak`, `allocated_bytes.all.allocated` and `loss`. The peak is the best measure, the
// current value belongs to the same GPU, so both are own and drawn. The third one counts every byte that was
// ever allocated, and the last one is no memory: both are in `more`.

namespace highwater {

namespace {

constexpr std::size_t kMaxDrawn = 4;
constexpr std::size_t kMaxRanksDrawn = 8; ///< as many as there are colours
/// Measures in the order in which they are drawn.
constexpr std::array<std::string_view, 13> kMeasures
    = {"allocated_peak", "allocated", "reserved_peak", "reserved", "device_used_peak", "device_used",
        "process_used", "active_peak", "active", "requested_peak", "requested", "memory_peak", "memory"};

/// Returns the part of a name after its last slash.
std::string_view shortName(std::string_view name)
{
    return name.substr(name.rfind('/') + 1); // npos + 1 is 0
}

/// Returns the part of a name up to its last slash, slash included.
std::string_view namePrefix(std::string_view name)
{
    return name.substr(0, name.size() - shortName(name).size());
}

/// Returns the position of the series' measure in kMeasures; kMeasures.size() for other measures, and for
/// those of one component or stage.
std::size_t measurePlace(const CounterSeries& series)
{
    const auto place = std::ranges::find(kMeasures, std::string_view(series.metric));
    const bool isWhole = series.component.empty() && series.stage.empty() && !series.metric.empty();
    return isWhole ? static_cast<std::size_t>(place - kMeasures.begin()) : kMeasures.size();
}

/// True if a series is about the GPU of the best one. Trackers name the GPU only in their own series, so a
/// number counts as the same GPU if the log has no other.
bool isOfSameGpu(const CounterSeries& series, const CounterSeries& best, bool isOneGpu)
{
    return series.rank == best.rank && series.process == best.process
        && (series.deviceOrdinal == best.deviceOrdinal || (!best.deviceOrdinal && isOneGpu));
}

/// Returns the ranks that ran out of memory, as far as the messages name them.
std::set<std::int64_t> failedRanks(const Trace& log)
{
    std::set<std::int64_t> ranks;
    for (const LogFailure& failure : logFailures(log))
        if (const std::optional<std::int64_t>& rank = log.logEvents[failure.event].rank)
            ranks.insert(*rank);
    return ranks;
}

/// Returns the best series of the rank that ran out of memory first; nullopt if the log does not name it.
std::optional<std::size_t> seriesOfFailedRank(const Trace& log)
{
    const std::vector<LogFailure> failures = logFailures(log);
    if (failures.empty() || !log.logEvents[failures.front().event].rank)
        return std::nullopt;
    const std::optional<std::int64_t>& rank = log.logEvents[failures.front().event].rank;
    std::optional<std::size_t> best;
    for (const std::size_t i : seriesOrder(log)) {
        const CounterSeries& series = log.counters[i];
        const std::size_t place = measurePlace(series);
        if (series.rank == rank && measuresDevice(series) && place < kMeasures.size() && seriesFigures(series)
            && (!best || place < measurePlace(log.counters[*best])))
            best = i;
    }
    return best;
}

/// Returns the series that decides which GPU is the log's own: that of the rank that failed, the best measure
/// of memory in use, else any figure of a GPU's memory, such as what is free.
std::optional<std::size_t> leadingSeries(const Trace& log)
{
    if (const std::optional<std::size_t> failed = seriesOfFailedRank(log))
        return failed;
    if (const std::optional<SeriesPair> best = bestMemorySeries(log))
        return best->before;
    for (const std::size_t i : seriesOrder(log))
        if (measuresDevice(log.counters[i]) && seriesFigures(log.counters[i]))
            return i;
    return std::nullopt;
}

/// True if the series name at most one GPU number.
bool hasOneGpu(const Trace& log)
{
    std::set<std::int64_t> ordinals;
    for (const CounterSeries& series : log.counters)
        if (series.deviceOrdinal)
            ordinals.insert(*series.deviceOrdinal);
    return ordinals.size() <= 1;
}

} // namespace

bool isSampled(const CounterSeries& series)
{
    constexpr std::array<std::string_view, 8> kUses{
        "requested", "active", "allocated", "reserved", "device_used", "process_used", "memory", "host_used"};
    std::string_view metric = series.metric;
    if (metric.ends_with("_pct"))
        metric.remove_suffix(std::string_view("_pct").size());
    return series.since == PeakSince::NotAPeak && std::ranges::find(kUses, metric) != kUses.end();
}

bool isLifetimeTotal(const CounterSeries& series)
{
    const std::string_view name = shortName(series.name);
    if (name.starts_with("num_"))
        return true;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return false;
    const std::string_view statistic = name.substr(0, dot);
    const std::string_view what = name.substr(dot + 1);
    const bool isOfPools
        = statistic.ends_with(".all") || statistic.ends_with("_pool") || statistic.starts_with("oversize_");
    return isOfPools && (what == "allocated" || what == "freed");
}

DisplayedSeries displayedSeries(const Trace& log)
{
    DisplayedSeries shown;
    const std::optional<std::size_t> leading = leadingSeries(log);
    const bool isOneGpu = hasOneGpu(log);
    const std::set<std::int64_t> failed = failedRanks(log);
    const auto hasFailed
        = [&](const CounterSeries& series) { return series.rank && failed.contains(*series.rank); };
    for (const std::size_t i : seriesOrder(log)) {
        const CounterSeries& series = log.counters[i];
        if (!seriesFigures(series))
            continue;
        const bool isOwn = leading && measuresDevice(series) && !isLifetimeTotal(series)
            && (isOfSameGpu(series, log.counters[*leading], isOneGpu)
                || (hasFailed(series) && hasFailed(log.counters[*leading])));
        (isOwn ? shown.own : shown.more).push_back(i);
    }
    std::ranges::stable_sort(shown.own, {}, [&](std::size_t i) {
        const CounterSeries& series = log.counters[i];
        const bool isInGroup = namePrefix(series.name) == namePrefix(log.counters[*leading].name);
        return std::tuple(
            i != *leading, measurePlace(series) == kMeasures.size(), !isInGroup, measurePlace(series));
    });
    std::stable_partition(shown.more.begin(), shown.more.end(),
        [&](std::size_t i) { return measuresDevice(log.counters[i]) && !isLifetimeTotal(log.counters[i]); });
    return shown;
}

std::vector<std::size_t> drawnSeries(const Trace& log, const DisplayedSeries& series)
{
    std::vector<std::size_t> drawn;
    std::set<std::string_view> measures;
    std::set<std::optional<std::int64_t>> ranks;
    const bool isOfRanks = std::ranges::any_of(series.own,
        [&](std::size_t i) { return log.counters[i].rank != log.counters[series.own.front()].rank; });
    for (const std::size_t i : series.own) {
        const CounterSeries& candidate = log.counters[i];
        const CounterSeries& best = log.counters[series.own.front()];
        if (drawn.size() >= (isOfRanks ? kMaxRanksDrawn : kMaxDrawn) || seriesFigures(candidate)->smallest < 0
            || (i != series.own.front() && measurePlace(candidate) == kMeasures.size()))
            continue;
        if (isOfRanks ? candidate.metric == best.metric && ranks.insert(candidate.rank).second
                      : measures.insert(candidate.metric).second)
            drawn.push_back(i);
    }
    return drawn;
}

} // namespace highwater
