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
/// each. Files that count different bytes are read again in a quantity that all have.
class SweepSession : public QObject
{
    Q_OBJECT

public:
    enum class State
    {
        Waiting, ///< to be read, or left out because reading was cancelled
        Reading,
        Read,
        Failed,
    };

    explicit SweepSession(QObject* parent = nullptr);

    /// As for DocumentLoader; files are taken from it and not put in.
    void setCache(std::optional<TraceCache> cache) { m_cache = std::move(cache); }

    /// Forgets the previous runs. A folder means the files in it.
    void open(const QStringList& paths, std::vector<CategoryRule> rules);
    /// What is read stays.
    void cancel();
    void close();

    bool isOpen() const { return !m_files.empty(); }
    bool isLoading() const { return m_loading; }
    /// A row for each file, as given; one that is not read yet is like one that cannot be read. Null: none.
    const std::shared_ptr<const RunSweep>& sweep() const { return m_sweep; }
    State state(std::size_t row) const { return m_files[row].state; }
    std::size_t fileCount() const { return m_files.size(); }
    /// Read, or found not to be readable.
    std::size_t knownCount() const;

    /// The row that the others are compared with.
    void setReference(std::size_t row);

signals:
    void changed();
    /// Bytes of the file that is being read; `total` is 0 where it is not known.
    void progressed(const QString& fileName, quint64 done, quint64 total);
    /// All are read, or reading was cancelled.
    void finished();

private:
    struct File
    {
        std::string path;
        bool fromFolder = false; ///< left out where it is no run
        State state = State::Waiting;
        SweepRun run = {};
        bool isReread = false; ///< in the quantity that all have
    };

    void startNext();
    void start(std::size_t file, std::optional<Quantity> quantity);
    void deliver(std::size_t file, const Result<SweepRun>& answer);
    /// Asks for those again that are not counted in what all can be counted in; false: there are none.
    bool readAgain();
    void noteChange();

    std::optional<TraceCache> m_cache;
    std::vector<CategoryRule> m_rules;
    std::vector<File> m_files;
    std::shared_ptr<const RunSweep> m_sweep;
    std::optional<Quantity> m_quantity; ///< none: each as its file has it
    std::size_t m_reference = 0;
    bool m_loading = false;
    Jobs m_jobs;
};

} // namespace highwater::gui
