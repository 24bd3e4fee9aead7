#pragma once

#include <optional>
#include <vector>

#include "core/analysis/diff/diff_verdict.h"
#include "core/analysis/diff/setting_changes.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/series_pairs.h"

namespace highwater {

/// One of two logs: a trace without devices.
struct LogOfRun
{
    const Trace& trace;
    /// Settings from a separate file; they take precedence over those in the log.
    std::vector<ConfigurationEntry> configuration = {};
};

/// The comparison of two logs. Byte values are as precise as the logs print them, so they are rounded.
struct LogDiff
{
    /// The series that both logs have: measures of device memory first, the best one at the front
    std::vector<SeriesPair> series;
    /// Index of the pair that `verdict` compares: always 0, the best measure of device memory that both logs
    /// have. Among the writers of that measure, it is the one with the highest value. nullopt if there is no
    /// such measure.
    std::optional<std::size_t> compared;
    std::size_t onlyBefore = 0; ///< number of series that only the log before has
    std::size_t onlyAfter = 0;
    std::vector<SettingChange> settings;
    std::vector<LogFailure> beforeFailures;
    std::vector<LogFailure> afterFailures;
    DiffVerdict verdict;
};

/// Compares two logs. O(points + series × log series + log events + settings × log settings).
LogDiff diffLogs(const LogOfRun& before, const LogOfRun& after);

} // namespace highwater
