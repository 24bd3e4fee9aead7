#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QStringList>

#include "app/workspace/document/document_loader.h"
#include "app/workspace/document/run_loader.h"

namespace highwater {
struct RunSource;
}

namespace highwater::gui {

/// The open run: one file, or several, one of which is on screen. The first file that can be read is shown at
/// once; the others are loaded meanwhile. Unless the user chooses a file, the run's main file
/// replaces it; run_session.cpp has the rule.
class RunSession : public QObject
{
    Q_OBJECT

public:
    /// The loader must outlive the session, and nothing else may open files with that loader.
    explicit RunSession(DocumentLoader& loader, QObject* parent = nullptr);

    RunLoader& run() { return m_run; }
    const RunLoader& run() const { return m_run; }
    bool hasSeveralFiles() const { return m_run.fileCount() > 1; }
    /// True if more than one file is a rank, or may turn out to be one.
    bool hasRanks() const { return m_run.rankCount() > 1; }
    /// True if most files are summaries of ranks.
    bool isOfSummaries() const;
    /// True while the run's main file may still replace the file on screen.
    bool isProvisional() const { return m_isProvisional; }
    /// Returns the auxiliary files of the file on screen: those of its run that are in memory.
    std::vector<std::pair<QString, std::shared_ptr<const Trace>>> auxiliaryFiles() const;
    /// Returns how the file on screen was chosen; empty if there is none, or no file can be the main one. If
    /// it is not the main file according to `chooseMain`, the reason is MainReason::Chosen: the user chose
    /// the file, or the main file has not replaced it yet.
    RunMain main() const;
    /// Returns all files known so far, the one on screen first; empty if none is on screen.
    std::vector<RunSource> sources() const;
    /// Indices of the file on screen, and of the file that is requested (the same file if no request is
    /// pending). Empty before the first file.
    std::optional<std::size_t> shown() const { return m_shownFile; }
    std::optional<std::size_t> wanted() const { return m_requestedFile ? m_requestedFile : m_shownFile; }

    /// Opens files and folders. If a single file cannot be read, the previous run stays open. Of several
    /// files, `first` is shown first; without it the first file is, until the main file replaces it.
    void open(const QStringList& paths, const QString& first = {});
    /// Drops the pending request.
    void cancel();
    /// Shows another file of the run, at once if it is in memory, instead of the pending request. From then
    /// on, the main file does not replace it.
    void show(std::size_t file);
    /// Shows the next file, or the previous one if `direction` is −1.
    void showNext(int direction);
    bool hasNext(int direction) const { return m_run.next(wanted(), direction).has_value(); }

signals:
    /// Asks the window to show a document. `sameRun`: it replaces another file of the same run.
    void documentReady(std::shared_ptr<const highwater::gui::Document> document, bool sameRun);
    /// `reason` is a sentence or a clause that says what is wrong. The screen does not change.
    void failed(const QString& path, const QString& reason);
    /// The user has cancelled loading the requested file. The screen does not change.
    void cancelled();
    /// The files, their states or `wanted` may have changed.
    void changed();

private:
    void display(std::size_t file);
    void dropRequest();
    void takeLoaded(const std::shared_ptr<const Document>& document);
    void takeFailure(const QString& path, const QString& reason, ErrorCode code);
    std::optional<Error> reasonNotToTake(const Document& document) const;
    void takeFromBackground(std::size_t file);
    void showMainIfDue();
    void showUnasked(std::size_t file);
    void reportFailure(std::size_t file);
    /// Emits `failed` when none of the files can be shown.
    void reportNothing(std::size_t last);

    DocumentLoader& m_loader;
    RunLoader m_run;
    std::optional<RunInput> m_requestedInput; ///< being loaded to replace the run
    std::optional<std::size_t> m_shownFile;
    std::optional<std::size_t> m_requestedFile; ///< requested but not on screen yet
    bool m_isProvisional = false; ///< files are being loaded, and the user has not chosen the one on screen
    bool m_isClaimed = false; ///< `m_requestedFile` is reserved and being loaded by m_loader
};

/// Converts a system path to Qt's encoding.
QString qtPath(const std::string& path);

} // namespace highwater::gui
