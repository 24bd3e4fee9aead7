#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "app/loading/load_file.h"
#include "app/loading/run/run_inputs.h"
#include "app/workspace/document/document.h"
#include "app/workspace/tasks/jobs.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/run/choice/main_choice.h"

namespace highwater::gui {

/// One file of the open run.
struct RunFile
{
    enum class State
    {
        Waiting, ///< to be loaded, or not loaded because loading was cancelled
        Loading,
        Loaded,
        FiguresOnly, ///< a summary, or unloaded because all files together exceed the memory limit
        Failed,
        NoInput, ///< file of a folder in an unrecognized format
    };

    RunInput input;
    State state = State::Waiting;
    std::shared_ptr<const Document> document; ///< set if Loaded
    std::shared_ptr<const RankFile> figures; ///< set once the file has been loaded, and if Failed
    MainCandidate facts; ///< facts for choosing the run's main file; unreadable until they are known
    std::uint64_t memoryBytes = 0; ///< memory of `document`
    bool recordsAllocations = true; ///< false for an auxiliary file, which is not a rank; known once loaded
    bool isMerged = false; ///< its figures are in `RunLoader::ranks` or are being added, or it has none
    Error error; ///< set if Failed
    quint64 shown = 0; ///< order in which files were shown; larger is later

    /// True for a summary: only its figures are read unless it is shown.
    bool isSummary() const { return input.isSummary; }
};

/// Returns the summary of a rank for the merge, or nothing if the file records no allocations. O(events); may
/// be interrupted.
std::optional<RankSummary> summaryOf(const Document& document);

/// Returns why a readable file does not belong to a run, or nothing if it does. Folders also contain texts
/// such as a README.
std::optional<Error> reasonToPassOver(const RunInput& input, const Trace& trace);

/// The files of one run: loads them in the background within a memory limit. A file that does not fit is
/// loaded once for its figures and unloaded again; none is skipped silently. Summaries are read for their
/// figures only. The file that the user is waiting for is loaded by the window, which reserves it with
/// `claim` and hands it over with `adopt`. The figures of all files are merged off the GUI thread.
class RunLoader : public QObject
{
    Q_OBJECT

public:
    explicit RunLoader(QObject* parent = nullptr);

    /// Sets the cache, as for DocumentLoader. Files are read from the cache but not added to it, because
    /// those of one large run would replace everything in it.
    void setCache(std::optional<TraceCache> cache) { m_cache = std::move(cache); }
    /// Sets the limit for runs that are begun from now on; the default is three quarters of the machine's
    /// memory.
    void setMemoryLimit(std::uint64_t bytes) { m_memoryLimit = bytes; }
    /// Returns the limit of the present run.
    std::uint64_t memoryLimit() const { return m_budget.limitBytes(); }

    /// Replaces the previous run. Loads nothing yet.
    void begin(std::vector<RunInput> inputs);
    const std::vector<RunFile>& files() const { return m_files; }
    std::optional<std::size_t> indexOf(const std::string& path) const;
    /// Return the number of files of the run in a recognized format, and the number of files whose figures
    /// are known or that have none.
    std::size_t fileCount() const;
    std::size_t knownCount() const;
    /// Returns the number of files that are ranks, or may turn out to be.
    std::size_t rankCount() const;
    /// Returns the next file in the order of ranks that is an input and has not failed, or the previous one
    /// if `direction` is −1. Without `file`, starts at the first or the last; nullopt if there is none.
    std::optional<std::size_t> next(std::optional<std::size_t> file, int direction = 1) const;

    /// Reserves the file for loading by the window. Returns false if it is already being loaded here.
    bool claim(std::size_t file);
    /// Cancels a `claim`: the file was not loaded after all.
    void release(std::size_t file);
    /// Takes the document that the window has loaded and shows (`setShown`). To keep the limit, it may unload
    /// other files. `reasonToPassOver` must not apply to the document.
    void adopt(std::size_t file, const std::shared_ptr<const Document>& document);
    /// Marks a file that the window could not load as failed; a file of a folder in an unrecognized format as
    /// no input.
    void reject(std::size_t file, const Error& error);
    /// Must be called when the file comes on screen. The file then stays in memory. If the files are of
    /// several runs, they are merged again, so that `ranks` will describe the run of this file.
    void setShown(std::size_t file);

    /// Loads all waiting files, in order.
    void loadRest();
    /// Stops loading; files that are not loaded wait. Does nothing unless `isLoading`.
    void cancel();
    bool isLoading() const { return m_loading; }

    /// Returns the merged ranks as far as they are known; null if there is only one file, or nothing is known
    /// yet.
    const std::shared_ptr<const RunRanks>& ranks() const { return m_ranks; }

signals:
    void changed();
    /// The figures of more summaries are known; `changed` follows once all summaries have been read.
    void counted();
    /// `ranks` was replaced.
    void merged();
    /// The file was loaded in the background, has failed, or was cancelled. Not emitted for summaries, nor
    /// for files that the window loads.
    void loaded(int file);
    /// Background loading has finished, was cancelled, or ended because another run was begun.
    void finished();

private:
    struct Loaded
    {
        std::shared_ptr<const Document> document; ///< null if only the figures are kept
        std::shared_ptr<const RankFile> figures;
        MainCandidate facts;
        std::optional<RankSummary> summary = {}; ///< empty if the file records no allocations
    };

    /// The figures of one summary file, or the error in reading it.
    struct KnownFigures
    {
        std::size_t file = 0;
        MainCandidate facts;
        Result<std::shared_ptr<const RankFile>> figures;
    };

    void startMore();
    void startSummaries();
    void takeFigures(const std::vector<KnownFigures>& known);
    void takeMerge(RankMerge read);
    void summarizeAdopted(std::size_t file);
    void addRank(std::size_t file, RankSummary summary);
    RankMerge& writableMerge();
    void merge();
    void takeRanks(const Result<std::shared_ptr<const RunRanks>>& ranks);
    void start(std::size_t file, bool keep);
    /// Runs on a thread of the pool. With `keep` false the trace does not outlive the call.
    static Result<Loaded> load(const RunInput& input, bool keep, const LoadOptions& options);
    void deliver(std::size_t file, const Result<Loaded>& loaded);
    void hold(std::size_t file, const std::shared_ptr<const Document>& document);
    void makeRoom();
    void noteChange();

    std::optional<TraceCache> m_cache;
    std::uint64_t m_memoryLimit;
    std::vector<RunFile> m_files;
    MemoryBudget m_budget;
    quint64 m_shownCount = 0;
    std::size_t m_jobCount = 0; ///< number of jobs that load or summarize files
    std::uint64_t m_loadingBytes = 0; ///< size of the files being loaded here
    bool m_loading = false;
    bool m_isReadingSummaries = false;
    std::shared_ptr<RankMerge> m_merge = std::make_shared<RankMerge>(); ///< jobs may read it
    bool m_isMergeStale = false; ///< something was added since the last merge
    bool m_isMerging = false;
    std::string m_shownPath; ///< path of the file on screen; empty if there is none
    std::shared_ptr<const RunRanks> m_ranks;
    Jobs m_jobs;
    LatestTask m_mergeTask;
};

} // namespace highwater::gui
