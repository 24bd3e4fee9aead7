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
    std::vector<SeriesPair> series; ///< levels of device memory first, the best one at the front
    /// The pair that `verdict` is about, always the first: the best measure of device memory that both logs
    /// have, from the writer with the highest value. None: the logs have no such measure.
    std::optional<std::size_t> compared;
    std::size_t onlyBefore = 0; ///< unmatched series
    std::size_t onlyAfter = 0;
    std::vector<SettingChange> settings;
    std::vector<LogFailure> beforeFailures;
    std::vector<LogFailure> afterFailures;
    DiffVerdict verdict;
};

/// O(points + series × log series).
LogDiff diffLogs(const LogOfRun& before, const LogOfRun& after);

} // namespace highwater
