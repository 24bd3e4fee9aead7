#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/loading/input_paths.h"
#include "app/loading/run/run_parts.h"
#include "app/loading/run/run_request.h"
#include "app/loading/run_description.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// A run whose device is not studied yet: of two runs the bytes that both count are to be found first.
struct UnstudiedRun
{
    RunParts parts;
    std::optional<DeviceIndex> device; ///< of the main file; none: it tells no memory of a device
    Run run; ///< without a study

    const Device& about() const { return parts.trace->devices[*device]; }
};

/// Reads the files of one run: several summaries for their figures, all other files one after the other. Of
/// recordings only that of the main file so far is held. Serves one run.
class RunReader
{
public:
    /// `role`: "before", "after", or empty for the only run. The arguments must outlive the reader.
    RunReader(const RunRequest& request, const RunReadOptions& options, std::string role);

    /// All files. Fails as `readRuns` does. O(bytes).
    tl::expected<void, RunError> read();
    /// After `read`: the choice among the files.
    const MainChoice& choice() const { return *m_main; }
    /// After `read`: the main file is of this rank, if there is one of it and the user has not chosen. May
    /// read that file again.
    tl::expected<void, RunError> alignTo(std::optional<std::int64_t> rank);
    /// The run, after which there is nothing left.
    UnstudiedRun take() { return conclude(); }

private:
    /// A file of the run; one that could not be read has no trace.
    struct ReadFile
    {
        RunSource source;
        MainCandidate facts;
        std::optional<DeviceIndex> device; ///< to be shown; none: it has none
        bool isReduced = false; ///< its recording was given up again
    };

    Result<void> readConfiguration();
    Result<void> readSummaries(std::vector<InputPath>& paths);
    Result<void> take(const InputPath& path);
    void describe(const ImportedTrace& imported, ReadFile& file);
    void describeRank(const ImportedTrace& imported, ReadFile& file);
    void refuse(const std::string& path, const Error& error);
    void keepFirst(const Error& error, const std::string& path);
    void add(ReadFile file);
    const ReadFile& main() const { return m_read[m_main->file]; }
    RunError nothing() const;
    Result<void> chooseMain();
    Result<void> restoreMain();
    void setApart(ReadFile& file, const FilePlace& place, const RunRanks* ranks) const;
    UnstudiedRun conclude();

    const RunRequest& m_request;
    const RunReadOptions& m_options;
    std::string m_role;
    std::optional<RunDescription> m_description;
    std::vector<ReadFile> m_read;
    MainKeeper m_keeper; ///< its files are those of `m_read`
    std::size_t m_held = 0; ///< in `m_read`: its recording is kept
    std::optional<MainChoice> m_main; ///< in `m_read`, once all are read
    std::optional<RunError> m_firstError;
    bool m_hasSeveral = false; ///< files
    RankMerge m_merge;
    std::vector<MainCandidate> m_summaries; ///< that are merged and not among the files
    std::set<std::string> m_merged; ///< paths of summaries that `m_merge` has
    std::vector<RankFindings> m_findings;
};

} // namespace highwater
