#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/loading/files/file_hash.h"
#include "app/loading/run/run_assembly.h"
#include "app/workspace/document/device_analysis.h"
#include "core/report/model/report_request.h"

namespace highwater::gui {

/// One run of a report; keeps alive everything that the report is made from.
struct ReportedRun
{
    std::vector<RunSource> files; ///< the main file first
    RunMain main; ///< how the main file was chosen
    /// Analysis of the reported device, in the reported quantity; null if the run is a log.
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::optional<DeviceCapacity> capacity; ///< the user's choice; else configuration or file
    QString configuration; ///< path; empty if there is none
    std::shared_ptr<const RunRanks> ranks; ///< null if there is only one rank
    std::shared_ptr<const RunStudy> study; ///< study of all the above if it is already known, else null

    bool operator==(const ReportedRun&) const = default;
};

/// The subject of a report. If only one run has a configuration, it describes both, except for settings that
/// the other run's main file records itself.
struct ReportSubject
{
    ReportedRun run; ///< the only run, or the run after
    std::optional<ReportedRun> before;
    std::optional<ComparedEvents> moments = {}; ///< two moments of the only run to compare
    bool isPending = false; ///< a study of the run is being made, and the report waits for it

    bool isEmpty() const { return run.files.empty(); }
    /// Null if nothing is open.
    const Trace* trace() const { return isEmpty() ? nullptr : run.files.front().file.trace.get(); }
    bool operator==(const ReportSubject&) const = default;
};

/// The runs of a report, with their comparison.
struct ReportRuns
{
    ReportRun run; ///< the only run, or the run after
    std::optional<ReportRun> before;
    std::shared_ptr<const ReportComparison> comparison; ///< null if there is only one run
};

/// Reads or computes what is missing: hashes, configurations and studies. Call it on a worker thread: it may
/// take as long as reading the files again. Fails with a sentence on the configuration, or on why the runs
/// cannot be compared.
Result<ReportRuns> reportRuns(const ReportSubject& subject, FileHashes& hashes);

} // namespace highwater::gui
