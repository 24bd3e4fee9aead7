#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "app/loading/files/file_hash.h"
#include "app/workspace/document/document.h"
#include "core/report/model/report_request.h"

namespace highwater::gui {

class RunSession;

/// One run of a report, as far as it is open: keeps everything alive that the report is made of.
struct ReportedRun
{
    /// A file of the run other than its main one.
    struct OtherFile
    {
        std::string path;
        std::shared_ptr<const Trace> trace; ///< null: it is not in memory, or cannot be read
        std::shared_ptr<const RankFile> rank; ///< null: it is no rank
        std::uint64_t fileBytes = 0; ///< 0: not known
        std::string cutOff; ///< why it ends early, a sentence
    };

    std::shared_ptr<const Document> document; ///< of the main file
    /// Of the device that the report is about, in the bytes that are to be told; null: the run is a log.
    std::shared_ptr<const DeviceAnalysis> analysis;
    std::optional<DeviceCapacity> capacity; ///< chosen by the user; none: as the configuration or file tells
    QString configuration; ///< path; empty: none
    std::vector<OtherFile> others;
    std::shared_ptr<const RankFile> rank; ///< of the main file, where the run has more than one
};

/// What a report is about. Where one run alone has a configuration, it describes both, as far as the other
/// one's main file does not record something else.
struct ReportSubject
{
    ReportedRun run; ///< the only one, or the one after
    std::optional<ReportedRun> before;

    bool isEmpty() const { return run.document == nullptr; }
};

/// The file on screen with the others of its run. `analysis` null: it is a log.
ReportedRun reportedRun(std::shared_ptr<const Document> document,
    std::shared_ptr<const DeviceAnalysis> analysis, const RunSession& session);

/// Reads what is not yet known (hashes, the configuration) and makes the report. On a thread of its own: it
/// takes as long as the analyses and as reading the files once more. Fails as `buildReport` does, or with a
/// sentence on the configuration.
Result<std::shared_ptr<const Report>> makeReport(
    const ReportSubject& subject, const Notes& notes, const ReportOptions& options, FileHashes& hashes);

} // namespace highwater::gui
