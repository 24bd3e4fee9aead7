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

/// What is open: one file, or the files of a run of which one is on screen. The first that can be read is
/// shown at once, the others are loaded meanwhile. Unless the user has chosen another one, the run's main
/// file
/// (`chooseMain`) takes its place: as soon as one ran out of memory or has allocations where the shown one
/// has none, else when all are loaded.
class RunSession : public QObject
{
    Q_OBJECT

public:
    /// The loader must outlive it, and nothing else may open files with it.
    explicit RunSession(DocumentLoader& loader, QObject* parent = nullptr);

    RunLoader& run() { return m_run; }
    const RunLoader& run() const { return m_run; }
    /// Whether there is more than one file.
    bool isRun() const { return m_run.fileCount() > 1; }
    /// Whether more than one of them is a rank.
    bool hasRanks() const { return m_run.rankCount() > 1; }
    /// Whether most of its files are summaries of ranks.
    bool isOfSummaries() const;
    /// What is on screen gives way to a file that tells allocations, if one comes.
    bool isProvisional() const { return m_isProvisional; }
    /// The auxiliary files of the one on screen.
    std::vector<std::pair<QString, std::shared_ptr<const Trace>>> companions() const;
    /// How the file on screen relates to the run: `chooseMain` has chosen it, or the user.
    RunMain main() const;
    /// All files as far as they are known, the one on screen first; empty: none is.
    std::vector<RunSource> sources() const;
    /// The file of the run that is on screen, and the one that will be next (the same while nothing is asked
    /// for); none: no file of it yet.
    std::optional<std::size_t> shown() const { return m_shown; }
    std::optional<std::size_t> wanted() const { return m_wanted ? m_wanted : m_shown; }

    /// Files and folders. One file that cannot be read leaves the run open that was open before. Of several,
    /// `first` is shown first; empty: the first that tells allocations.
    void open(const QStringList& paths, const QString& first = {});
    /// Drops what was asked for and is not on screen yet.
    void cancel();
    /// Another file of the run: at once where it is in memory.
    void show(std::size_t file);
    /// The next one that can be shown, or with −1 the one before.
    void showNext(int direction);
    bool hasNext(int direction) const { return m_run.next(wanted(), direction).has_value(); }

signals:
    /// To be put on screen. `sameRun`: in place of another file of the same run.
    void documentReady(std::shared_ptr<const highwater::gui::Document> document, bool sameRun);
    /// `sentence` says what is wrong and where. What is on screen stays.
    void failed(const QString& path, const QString& sentence);
    /// The user has stopped loading the file that was asked for. What is on screen stays.
    void cancelled();
    /// The files, what they have become, or which one is wanted.
    void changed();

private:
    void put(std::size_t file);
    void dropRequest();
    void takeLoaded(const std::shared_ptr<const Document>& document);
    void takeFailure(const QString& path, const QString& sentence, ErrorCode code);
    std::optional<Error> reasonNotToTake(const Document& document) const;
    void takeFromBackground(std::size_t file);
    void preferMain();
    void showUnasked(std::size_t file);
    void reportFailure(std::size_t file);
    /// None of the files can be shown.
    void reportNothing(std::size_t last);

    DocumentLoader& m_loader;
    RunLoader m_run;
    std::optional<RunInput> m_single; ///< being loaded to take the place of the run
    std::optional<std::size_t> m_shown;
    std::optional<std::size_t> m_wanted; ///< not on screen yet
    bool m_isProvisional = false; ///< files are loaded, and the user has not chosen what is on screen
    bool m_claimed = false; ///< the loader loads `m_wanted`
};

/// Path as Qt spells it, of a path as the system does.
QString qtPath(const std::string& path);

} // namespace highwater::gui
