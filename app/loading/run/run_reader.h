#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/loading/input_paths.h"
#include "app/loading/run/run_assembly.h"
#include "app/loading/run/run_request.h"
#include "app/loading/run_description.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// A run that was read but not studied yet. For a comparison, both runs are studied in a quantity that both
/// have (`commonQuantity`), which is known only once both are read.
struct UnstudiedRun
{
    RunParts parts;
    std::optional<DeviceIndex> device; ///< device of the main file; nullopt if it has no device memory
    Run run; ///< without a study

    /// Returns the device of the main file; only if it has one.
    const Device& mainDevice() const { return parts.trace->devices[*device]; }
};

/// Reads the files of one run. Of several summaries, only that of the main file is read whole.
/// A recording that is not the best main file so far loses its events; if it becomes the main file after all,
/// it is read again. An object reads one run once.
class RunReader
{
public:
    /// The request and the options must outlive the reader.
    RunReader(const RunRequest& request, const RunReadOptions& options);

    /// Reads all files. Fails as `readRuns` does.
    tl::expected<void, RunError> read();
    /// Returns the choice among the files; only after `read` succeeded.
    const MainChoice& choice() const { return *m_main; }
    /// Makes a file of this rank the main one if there is such a file with a device, and the user has not
    /// chosen a file or rank. Only after `read` succeeded.
    tl::expected<void, RunError> alignTo(std::optional<std::int64_t> rank);
    /// Returns the run. `role` is "before", "after", or empty for the only run. Only after `read` succeeded;
    /// no other function may be called afterwards.
    UnstudiedRun release(const std::string& role);

private:
    /// A file of the run; without a trace if it could not be read.
    struct ReadFile
    {
        RunSource source;
        MainCandidate facts;
        std::optional<DeviceIndex> device; ///< the device to show; nullopt if it has none
        bool isReduced = false; ///< its events were dropped
    };

    Result<void> readConfiguration();
    Result<void> readSummaries(std::vector<InputPath>& paths);
    Result<void> readFile(const InputPath& path);
    void describe(const ImportedTrace& imported, ReadFile& file);
    void studyAndMergeRank(const ImportedTrace& imported, ReadFile& file);
    void addUnreadable(const std::string& path, const Error& error);
    void keepFirstError(const Error& error, const std::string& path);
    void add(ReadFile file);
    const ReadFile& main() const { return m_read[m_main->file]; }
    RunError noMainError() const;
    std::vector<MainCandidate> candidates() const;
    Result<void> chooseMain(std::optional<std::int64_t> rank);
    Result<void> restoreMain();

    const RunRequest& m_request;
    const RunReadOptions& m_options;
    std::optional<RunDescription> m_description;
    std::vector<ReadFile> m_read;
    IncrementalMainChoice m_mainChoice; ///< its files are parallel to `m_read`
    std::optional<MainChoice> m_main; ///< choice among `candidates`, once all are read
    std::optional<RunError> m_firstError;
    bool m_hasSeveral = false; ///< more than one file
    RankMerge m_merge;
    std::vector<MainCandidate> m_summaries; ///< facts of merged summaries that are not in `m_read`
    std::set<std::string> m_merged; ///< paths of the summaries in `m_merge`
    std::vector<RankFindings> m_findings;
};

} // namespace highwater
