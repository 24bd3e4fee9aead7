#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/analysis/steps/steps.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// What one run of a report is made of, as the user names it.
struct ReportFiles
{
    std::vector<std::string> paths; ///< files, and folders with all that is in them
    std::string shown; ///< the one of them that the run is shown by; empty: the one with the largest peak
    std::optional<std::string> device; ///< "0", "cuda:0"; none: the one with the largest peak
    std::string configuration; ///< path of a configuration file; empty: none
    /// It is the other run's as well: settings that this run's main file records go before it, and it gives
    /// no warnings of its own.
    bool isConfigurationShared = false;
    std::optional<DeviceCapacity> capacity; ///< chosen by the user; none: that of the configuration's GPU
    std::vector<ReportSource> unusable; ///< files of the run that are not to be read, with the reason
};

struct ReportLoadOptions
{
    LoadOptions load;
    std::vector<CategoryRule> rules;
    StepRequest steps;
};

/// A run of a report as it was read; its findings are known.
struct LoadedReportRun : ReportRun
{
    std::vector<std::string> warnings; ///< sentences: why the configuration gives no budget
    bool hasUnreadable = false; ///< a file of the run could not be read
    bool hasIncomplete = false; ///< a file of the run ends early
};

/// One run, or two; with two, each is read in its own thread, and hashes are computed while reading.
struct LoadedReportRuns
{
    LoadedReportRun run; ///< the only one, or the one after
    std::optional<LoadedReportRun> before; ///< none: there is one run

    /// The run before first.
    std::vector<const LoadedReportRun*> all() const
    {
        return before ? std::vector{&*before, &run} : std::vector{&run};
    }
};

/// Why a run cannot be shown, and which of its files is the reason.
struct ReportLoadError : Error
{
    std::string path; ///< empty: none of them
};

/// Reads the files of a report: the main file of a run is the one with allocations and the largest peak (if
/// there are only logs, the one with most memory figures), similar files are its ranks, and the others are
/// auxiliary files. Of ranks other than the main file only figures and the import log are kept. Two runs are
/// studied in a quantity that both have; the findings of each are computed here too, in parallel.
///
/// A file that cannot be read is reported in the run's sources. Fails with the first file's error if no file
/// of a run can be read, with BadRequest if the device does not exist or nothing can be shown, and as the
/// configuration does. `before` may be null. O(bytes).
tl::expected<LoadedReportRuns, ReportLoadError> loadReportRuns(
    const ReportFiles& files, const ReportFiles* before, const ReportLoadOptions& options);

} // namespace highwater
