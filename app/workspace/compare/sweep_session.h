#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QStringList>

#include "app/loading/load_file.h"
#include "app/loading/run/sweep_file.h"
#include "app/workspace/tasks/jobs.h"

namespace highwater::gui {

/// Compares three or more runs: reads their files one by one off the GUI thread and keeps only the figures of
/// each. If the files count different quantities, some are read again in a common one.
class SweepSession : public QObject
{
    Q_OBJECT

public:
    enum class State
    {
        Waiting, ///< to be read, or not read because reading was cancelled
        Reading,
        Read,
        Failed,
    };

    explicit SweepSession(QObject* parent = nullptr);

    /// Sets the cache, as for DocumentLoader. Files are read from the cache but not added to it.
    void setCache(std::optional<TraceCache> cache) { m_cache = std::move(cache); }

    /// Replaces the previous runs. A folder stands for the files in it.
    void open(const QStringList& paths, std::vector<CategoryRule> rules);
    /// Stops reading; runs that were read stay.
    void cancel();
    /// Stops reading and forgets the runs, without a signal.
    void close();

    bool isOpen() const { return !m_files.empty(); }
    bool isLoading() const { return m_loading; }
    /// Returns the table: one row per file, in the given order. Files not read yet appear as unreadable. Null
    /// if no files are open.
    const std::shared_ptr<const RunSweep>& sweep() const { return m_sweep; }
    std::size_t fileCount() const { return m_files.size(); }
    /// Returns the number of files that were read or could not be read.
    std::size_t knownCount() const;

    /// Sets the row that the others are compared with.
    void setReference(std::size_t row);

signals:
    void changed();
    /// Bytes read of the current file; `total` is 0 if unknown.
    void progressed(const QString& fileName, quint64 done, quint64 total);
    /// All files are read, or reading was cancelled.
    void finished();

private:
    struct File
    {
        std::string path;
        bool fromFolder = false; ///< dropped without an error if it is not a recording
        State state = State::Waiting;
        SweepRun run = {};
        bool isReread = false; ///< was or is being read again in the common quantity
    };

    void startNext();
    void readFile(std::size_t file, std::optional<Quantity> quantity);
    void takeResult(std::size_t file, const Result<SweepRun>& result);
    /// Marks files that are not in the common quantity to be read again. Returns false if there are none.
    bool markForReread();
    void updateSweep();

    std::optional<TraceCache> m_cache;
    std::vector<CategoryRule> m_rules;
    std::vector<File> m_files;
    std::shared_ptr<const RunSweep> m_sweep;
    std::optional<Quantity> m_quantity; ///< common quantity; empty if each file keeps its own
    std::optional<std::size_t> m_reference; ///< as chosen; empty for the default of `compareSweep`
    bool m_loading = false;
    Jobs m_jobs;
};

} // namespace highwater::gui
