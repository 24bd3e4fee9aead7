#pragma once

#include <optional>
#include <string>
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
    /// From a file of its own; counts before what the log tells.
    std::vector<ConfigurationEntry> configuration = {};
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

} // namespace highwater
