#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "app/loading/load_file.h"
#include "app/loading/run_inputs.h"
#include "app/workspace/document/document.h"
#include "app/workspace/tasks/jobs.h"
#include "core/analysis/ranks/rank_table.h"

namespace highwater::gui {

/// One file of the run that is open.
struct RunFile
{
    enum class State
    {
        Waiting, ///< to be loaded, or left out because loading was cancelled
        Loading,
        Loaded,
        FiguresOnly, ///< given up again: all of them together exceed the memory limit
        Failed,
        NoInput, ///< a folder held it, and it is in no known form
    };

    RunInput input;
    State state = State::Waiting;
    std::shared_ptr<const Document> document; ///< of Loaded
    std::shared_ptr<const RankFile> figures; ///< once it has been loaded, and of Failed
    std::uint64_t memoryBytes = 0; ///< of `document`
    bool tellsAllocations = true; ///< false: an auxiliary file and not a rank; known once loaded
    quint64 shown = 0; ///< larger: shown later
};

/// Why a file that could be read belongs to no run: a folder holds texts, too, as its README. None: it does.
std::optional<Error> reasonToPassOver(const RunInput& input, const Trace& trace);

/// The files of one run: hands out the ones loaded, loads the others in the background, and keeps within a
/// memory limit. What does not fit is loaded once for its figures and given up again, never left out
/// silently. The file that the user waits for is loaded by the window, which `claim`s it and brings it with
/// `adopt`.
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
    /// It is on screen: it stays in memory.
    void setShown(std::size_t file) { m_files[file].shown = ++m_shownCount; }

    /// Loads all that wait, in order.
    void loadRest();
    void cancel();
    bool isLoading() const { return m_loading; }

    /// What is known so far, in order of rank; the same object until something changes.
    const std::shared_ptr<const RankTable>& table() const;

signals:
    void changed();
    /// In the background.
    void loaded(int file);
    /// Background loading has finished.
    void finished();

private:
    struct Loaded
    {
        std::shared_ptr<const Document> document; ///< null: figures only
        std::shared_ptr<const RankFile> figures;
    };

    void startMore();
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
    mutable std::shared_ptr<const RankTable> m_table;
    Jobs m_jobs;
};

} // namespace highwater::gui
