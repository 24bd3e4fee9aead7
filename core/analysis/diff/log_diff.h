#pragma once

#include <optional>
#include <vector>

#include "core/analysis/diff/diff_verdict.h"
#include "core/analysis/diff/series_pairs.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/logs/log_failures.h"

namespace highwater {

/// One of two logs: a trace without devices.
struct LogOfRun
{
    const Trace& trace;
    /// From a separate file; takes precedence over the log's own settings.
    std::vector<ConfigurationEntry> configuration = {};
};

/// Comparison of two logs. Byte values are as the logs print them: rounded.
struct LogDiff
{
    /// The series in both logs; device memory first, with the best one at the front
    std::vector<SeriesPair> series;
    /// Index of the pair that `verdict` compares, always the first: the best measure of device memory in both
    /// logs, from the writer with the highest value. nullopt if the logs have no such measure.
    std::optional<std::size_t> compared;
    std::size_t onlyBefore = 0; ///< unmatched series
    std::size_t onlyAfter = 0;
    std::vector<SettingChange> settings;
    std::vector<LogFailure> beforeFailures;
    std::vector<LogFailure> afterFailures;
    DiffVerdict verdict;
};

/// Compares two logs. O(points + series × log series).
LogDiff diffLogs(const LogOfRun& before, const LogOfRun& after);

} // namespace highwater
