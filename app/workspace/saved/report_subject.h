#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/loading/files/file_hash.h"
#include "app/loading/run/run_parts.h"
#include "app/workspace/document/device_analysis.h"
#include "core/report/model/report_request.h"

namespace highwater::gui {

/// One run of a report, as far as it is open: keeps everything alive that the report is made of.
struct ReportedRun
{
    std::vector<RunSource> files; ///< the main one first
    RunMain main; ///< how that one was chosen
    /// Of the device that the report is about, in the bytes that are to be told; null: the run is a log.
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::optional<DeviceCapacity> capacity; ///< chosen by the user; none: as the configuration or file tells
    QString configuration; ///< path; empty: none
    std::shared_ptr<const RunRanks> ranks; ///< null: there is one rank
    std::shared_ptr<const RunStudy> study; ///< of all that, where it is known already; null: to be made

    bool operator==(const ReportedRun&) const = default;
};

/// What a report is about. Where one run alone has a configuration, it describes both, as far as the other
/// one's main file does not record something else.
struct ReportSubject
{
    ReportedRun run; ///< the only one, or the one after
    std::optional<ReportedRun> before;
    bool isPending = false; ///< a study of the run is being made: the report waits for it

    bool isEmpty() const { return run.files.empty(); }
    /// Null: nothing is open.
    const Trace* trace() const { return isEmpty() ? nullptr : run.files.front().file.trace.get(); }
    bool operator==(const ReportSubject&) const = default;
};

/// The runs of a report, and what is worked out about them.
struct ReportRuns
{
    ReportRun run; ///< the only one, or the one after
    std::optional<ReportRun> before;
    std::shared_ptr<const ReportComparison> comparison; ///< null: there is one run
};

/// Reads what is not yet known: hashes, configurations, and studies where there are none. On a thread of its
/// own: it takes as long as reading the files once more. Fails with a sentence on the configuration, or why
/// the runs cannot be compared.
Result<ReportRuns> reportRuns(const ReportSubject& subject, FileHashes& hashes);

} // namespace highwater::gui
