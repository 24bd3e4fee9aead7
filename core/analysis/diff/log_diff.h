#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/diff/diff_verdict.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/log_failures.h"

namespace highwater {

/// One of two logs: a trace without devices.
struct LogOfRun
{
    const Trace& trace;
    /// From a file of its own; counts before what the log tells.
    std::vector<ConfigurationEntry> configuration = {};
};

/// What a series comes to, in its unit. Points that are no finite numbers are passed over.
struct SeriesFigures
{
    std::size_t points = 0; ///< the finite ones
    double first = 0;
    double last = 0;
    double smallest = 0;
    double largest = 0;
    std::size_t largestPoint = 0; ///< the first that reaches it, in the series
    std::int64_t largestStep = CounterSeries::kNoStep;
    bool operator==(const SeriesFigures&) const = default;
};
/// None without a finite point. O(points).
std::optional<SeriesFigures> seriesFigures(const CounterSeries& series);

/// A series that both logs have: the same metric (where the table knows it, else the same name) of the same
/// part, in the same unit and of the same quantity, by the same writer. Ids of processes, which no two runs
/// share, do not count.
struct SeriesPair
{
    std::size_t before = 0; ///< in `Trace::counters`
    std::size_t after = 0;
    SeriesFigures beforeFigures;
    SeriesFigures afterFigures;
    bool isBytes = false;

    /// On an axis of bytes that begins at 0.
    bool isDrawable() const { return isBytes && beforeFigures.smallest >= 0 && afterFigures.smallest >= 0; }
};

/// What two logs say of each other. Bytes of a log are as it writes them: rounded.
struct LogDiff
{
    std::vector<SeriesPair> series; ///< levels of device memory first, the best one at the front
    /// The pair that `verdict` is about: the best measure of device memory that both have, and of its writers
    /// the one that went highest; always the first. None: they have none.
    std::optional<std::size_t> compared;
    std::size_t onlyBefore = 0; ///< series that have no equal
    std::size_t onlyAfter = 0;
    std::vector<SettingChange> settings;
    std::vector<LogFailure> beforeFailures;
    std::vector<LogFailure> afterFailures;
    DiffVerdict verdict;
};

/// O(points + series × log series).
LogDiff diffLogs(const LogOfRun& before, const LogOfRun& after);

/// A value in bytes as whole ones; what no file can mean is cut off.
Bytes wholeBytes(double value);

/// "allocated peak (perf/max_memory_allocated_gb)": what is measured, in words, and the series' name.
std::string measureText(const CounterSeries& series);
/// "perf/max_memory_allocated_gb, rank 0".
std::string seriesTitle(const CounterSeries& series);

/// The largest value of the best measure of device memory in one log; none: it has no such series. O(points).
std::optional<SeriesPair> bestMemorySeries(const Trace& log);

} // namespace highwater
