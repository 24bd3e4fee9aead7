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

/// One file of the run that is open.
struct RunFile
{
    enum class State
    {
        Waiting, ///< to be loaded, or left out because loading was cancelled
        Loading,
        Loaded,
        FiguresOnly, ///< a summary, or given up again: all of them together exceed the memory limit
        Failed,
        NoInput, ///< a folder held it, and it is in no known form
    };

    RunInput input;
    State state = State::Waiting;
    std::shared_ptr<const Document> document; ///< of Loaded
    std::shared_ptr<const RankFile> figures; ///< once it has been loaded, and of Failed
    MainCandidate facts; ///< by which the run's main file is chosen; unreadable until they are known
    std::uint64_t memoryBytes = 0; ///< of `document`
    bool tellsAllocations = true; ///< false: an auxiliary file and not a rank; known once loaded
    bool isMerged = false; ///< its figures are in `RunLoader::ranks`, or will be
    Error error; ///< of Failed
    quint64 shown = 0; ///< larger: shown later

    /// Only its figures are read, unless it is to be shown.
    bool isSummary() const { return input.isSummary; }
};

/// What the merge needs of a rank; none: it tells no memory of a device. O(events); may be interrupted.
std::optional<RankSummary> summaryOf(const Document& document);

/// Why a file that could be read belongs to no run: a folder holds texts, too, as its README. None: it does.
std::optional<Error> reasonToPassOver(const RunInput& input, const Trace& trace);

/// The files of one run: hands out the ones loaded, loads the others in the background, and keeps within a
/// memory limit. What does not fit is loaded once for its figures and given up again, never left out
/// silently. Of summaries only the figures are read, whatever their number. The file that the user waits for
/// is loaded by the window, which `claim`s it and brings it with `adopt`. What is known of all of them is
/// merged off the GUI thread.
class RunLoader : public QObject
{
    Q_OBJECT

public:
    explicit RunLoader(QObject* parent = nullptr);

    /// As for DocumentLoader.
    void setCache(std::optional<TraceCache> cache) { m_cache = std::move(cache); }
    /// Of the runs that are begun from now on; three quarters of the machine's memory unless set.
    void setMemoryLimit(std::uint64_t bytes) { m_memoryLimit = bytes; }
    std::uint64_t memoryLimit() const { return m_budget.limitBytes(); }

    /// Forgets the run before. Nothing is loaded yet.
    void begin(std::vector<RunInput> inputs);
    const std::vector<RunFile>& files() const { return m_files; }
    std::optional<std::size_t> indexOf(const std::string& path) const;
    /// How many files the run has, and of how many the figures are known.
    std::size_t fileCount() const;
    std::size_t knownCount() const;
    /// Files that are ranks, or may still turn out to be.
    std::size_t rankCount() const;
    /// The first that can be shown or tried, in order of rank, after `file`; none: no other.
    std::optional<std::size_t> next(std::optional<std::size_t> file, int direction = 1) const;

    /// The window loads it. False: it is being loaded here already.
    bool claim(std::size_t file);
    /// It was not loaded after all.
    void release(std::size_t file);
    /// There is no reason to pass it over.
    void adopt(std::size_t file, const std::shared_ptr<const Document>& document);
    void reject(std::size_t file, const Error& error);
    /// It is on screen: it stays in memory, and `ranks` are those of its run.
    void setShown(std::size_t file);

    /// Loads all that wait, in order.
    void loadRest();
    void cancel();
    bool isLoading() const { return m_loading; }

    /// The ranks as far as they are known, merged; null: there is one file, or nothing is known yet.
    const std::shared_ptr<const RunRanks>& ranks() const { return m_ranks; }

signals:
    void changed();
    /// Some more files are known; `changed` follows when all of them are.
    void counted();
    /// `ranks` is another one.
    void merged();
    /// In the background.
    void loaded(int file);
    /// Background loading has finished.
    void finished();

private:
    struct Loaded
    {
        std::shared_ptr<const Document> document; ///< null: figures only
        std::shared_ptr<const RankFile> figures;
        MainCandidate facts;
        std::optional<RankSummary> summary = {}; ///< none: it tells no allocations
    };

    /// Of a summary: what is kept.
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
    /// With `keep` false the trace does not outlive the call. On a thread of the pool.
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
    std::size_t m_running = 0; ///< files being loaded here
    std::uint64_t m_runningBytes = 0; ///< of these files
    bool m_loading = false;
    bool m_isReadingSummaries = false;
    std::shared_ptr<RankMerge> m_merge = std::make_shared<RankMerge>(); ///< jobs read it
    bool m_isMergeStale = false; ///< something was added since
    bool m_isMerging = false;
    std::string m_shownPath; ///< of the file on screen; empty: none
    std::shared_ptr<const RunRanks> m_ranks;
    Jobs m_jobs;
    LatestTask m_mergeTask;
};

} // namespace highwater::gui
