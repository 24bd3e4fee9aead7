#include <memory>

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/loading/files/workspace_store.h"
#include "app/window/opening/open_request.h"
#include "app/workspace/notes/note_list.h"
#include "app/workspace/tasks/system_path.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the order in which things are opened, without a window. Signals report what would be displayed.
class OpenRequestTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<OpenSessions> m_sessions;
    std::unique_ptr<NoteList> m_notes;
    std::unique_ptr<WorkspaceSession> m_workspace;
    std::unique_ptr<OpenRequest> m_request;
    QStringList m_shown; ///< names of the files that were displayed
    QStringList m_errors; ///< arguments of `complete`, empty without an error
    bool m_isSettled = true;

    static QString brokenFile() { return brokenPath(QStringLiteral("not-a-snapshot.pickle")); }
    static QString tiny() { return samplePath(QStringLiteral("tiny-hand-checked")); }
    static QString large() { return samplePath(QStringLiteral("r1-grpo-after")); }
    static QString before() { return samplePath(QStringLiteral("r1-grpo-before")); }

    /// Saves a workspace with these files and a note; the second file is the run before. Its references are
    /// neither resolved nor hashed.
    QString savedWorkspace(const QString& shown, const QString& second = {})
    {
        WorkspaceFile file;
        for (const QString& path : {shown, second}) {
            if (path.isEmpty())
                continue;
            WorkspaceSource& source = file.sources.emplace_back();
            source.file = referenceTo(systemPath(path));
            source.role = path == second ? NoteRun::Before : NoteRun::After;
            source.isShown = true;
        }
        file.notes.emplace_back().title = "kept";
        const QString path = m_folder->filePath(QStringLiteral("a.highwater"));
        return saveWorkspace(systemPath(path), file) ? path : QString();
    }

    /// Opens a workspace as the window does if all its files exist.
    void openWorkspace(const QString& path)
    {
        QVERIFY(!path.isEmpty());
        QSignalSpy opened(m_workspace.get(), &WorkspaceSession::opened);
        m_workspace->open(path);
        QVERIFY(opened.wait(20'000));
    }

    void offerShown(const std::shared_ptr<const Document>& document)
    {
        if (document->mainDevice)
            m_sessions->other.setShown(RunChoice{document, *document->mainDevice});
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_sessions = std::make_unique<OpenSessions>();
        m_notes = std::make_unique<NoteList>();
        m_workspace = std::make_unique<WorkspaceSession>(
            *m_notes, [] { return WorkspaceFile(); }, QString());
        m_isSettled = true;
        m_request = std::make_unique<OpenRequest>(*m_sessions, *m_workspace, [this] { return m_isSettled; });
        m_shown.clear();
        m_errors.clear();
        connect(m_request.get(), &OpenRequest::documentReady, this,
            [this](const std::shared_ptr<const Document>& document) {
                m_shown << QString::fromStdString(document->path);
                offerShown(document);
            });
        connect(m_request.get(), &OpenRequest::complete, this,
            [this](const QString& error) { m_errors << error; });
        connect(m_workspace.get(), &WorkspaceSession::opened, this,
            [this](const auto& opened, const QString& path) {
                m_request->openWorkspace(*opened, opened->read.file, path);
            });
    }
    void cleanup()
    {
        m_request.reset();
        m_workspace.reset();
        m_sessions.reset();
    }

    void aFileIsOnScreenAndThenComplete()
    {
        QSignalSpy opened(m_request.get(), &OpenRequest::opened);
        m_request->openFiles({tiny()});
        QVERIFY(m_request->isLoading());
        QTRY_COMPARE(m_errors, QStringList{QString()});
        QVERIFY(!m_request->isLoading());
        QCOMPARE(m_shown, QStringList{tiny()});
        QCOMPARE(m_request->files(), QStringList{tiny()});
        QCOMPARE(opened.size(), 1);
    }

    void itIsNotCompleteBeforeThePictureIs()
    {
        m_isSettled = false;
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_shown.size(), 1);
        m_request->check();
        QCoreApplication::processEvents();
        QVERIFY(m_errors.isEmpty());
        m_isSettled = true;
        m_request->check();
        QTRY_COMPARE(m_errors, QStringList{QString()});
    }

    void ofTwoRequestsTheLaterOneComes()
    {
        m_request->openFiles({large()});
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_errors, QStringList{QString()});
        QCOMPARE(m_shown, QStringList{tiny()});
        QCOMPARE(m_request->files(), QStringList{tiny()});
    }

    void aCancelledRequestLeavesWhatWasOpen()
    {
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_errors.size(), 1);
        m_request->openFiles({large()});
        m_sessions->loader.cancel();
        QVERIFY(!m_request->isLoading());
        QCOMPARE(m_request->files(), QStringList{tiny()});
        m_request->openFiles({before()});
        QTRY_COMPARE(m_errors.size(), 2);
        QCOMPARE(m_shown, (QStringList{tiny(), before()}));
    }

    void theDestinationIsReachedOnce()
    {
        QSignalSpy reached(m_request.get(), &OpenRequest::destinationReady);
        m_request->setDestination({Goto::Kind::Peak, 0});
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_errors.size(), 1);
        m_request->openFiles({before()});
        QTRY_COMPARE(m_errors.size(), 2);
        QCOMPARE(reached.size(), 1);
    }

    void theReportComesLast()
    {
        QSignalSpy wanted(m_request.get(), &OpenRequest::reportWanted);
        m_request->wantReport();
        connect(m_request.get(), &OpenRequest::reportWanted, this, [this] { QVERIFY(m_errors.isEmpty()); });
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_errors, QStringList{QString()});
        QCOMPARE(wanted.size(), 1);
    }

    void aFileThatCannotBeReadIsSaidAndLeavesTheWorkspace()
    {
        openWorkspace(savedWorkspace(tiny()));
        QTRY_COMPARE(m_errors, QStringList{QString()});
        m_request->openFiles({brokenFile()});
        QTRY_COMPARE(m_errors.size(), 2);
        QVERIFY(m_errors.last().startsWith(brokenFile()));
        QVERIFY(m_workspace->isOpen());
        QCOMPARE(m_notes->size(), 1);
    }

    /// The second attempt must not count as reopening the open file.
    void aFileThatCanBeReadTheSecondTimeDoesNotTakeOverTheNotes()
    {
        openWorkspace(savedWorkspace(tiny()));
        QTRY_COMPARE(m_errors.size(), 1);
        const QString path = m_folder->filePath(QStringLiteral("late.pickle.zst"));
        m_request->openFiles({path});
        QTRY_COMPARE(m_errors.size(), 2);
        QVERIFY(QFile::copy(before(), path));
        m_request->openFiles({path});
        QTRY_COMPARE(m_errors.size(), 3);
        QCOMPARE(m_shown.last(), path);
        QCOMPARE(m_notes->size(), 0);
        QVERIFY(!m_workspace->isOpen());
    }

    void theSameFilesOnceMoreKeepTheWorkspace()
    {
        openWorkspace(savedWorkspace(tiny()));
        QTRY_COMPARE(m_errors.size(), 1);
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_errors.size(), 2);
        QCOMPARE(m_shown.size(), 2);
        QVERIFY(m_workspace->isOpen());
        QCOMPARE(m_notes->size(), 1);
    }

    void aWorkspaceTakesThePlaceOfAFileThatIsBeingLoaded()
    {
        const QString path = savedWorkspace(tiny());
        m_workspace->open(path);
        QSignalSpy opened(m_workspace.get(), &WorkspaceSession::opened);
        m_request->openFiles({large()}); // requested later, so the workspace is not read any further
        QTRY_COMPARE(m_errors.size(), 1);
        QCOMPARE(m_shown, QStringList{large()});
        QCOMPARE(opened.size(), 0);

        m_request->openFiles({before()});
        openWorkspace(path);
        QTRY_COMPARE(m_errors.size(), 2);
        QCOMPARE(m_shown.last(), tiny());
        QCOMPARE(m_notes->size(), 1);
        QVERIFY(!m_workspace->isDirty());
    }

    void aFileTakesThePlaceOfAWorkspaceThatIsBeingLoaded()
    {
        openWorkspace(savedWorkspace(large()));
        QCOMPARE(m_notes->size(), 1);
        m_request->openFiles({tiny()});
        QTRY_COMPARE(m_errors.size(), 1);
        QCOMPARE(m_shown, QStringList{tiny()});
        QCOMPARE(m_notes->size(), 0);
        QVERIFY(!m_workspace->isOpen());
    }

    void aCancelledWorkspaceIsNotHalfOpen()
    {
        openWorkspace(savedWorkspace(large()));
        m_sessions->loader.cancel();
        QVERIFY(!m_workspace->isOpen());
        QCOMPARE(m_notes->size(), 0);
    }

    void aComparisonIsCompleteWhenBothRunsAreThere()
    {
        QSignalSpy ready(&m_sessions->other, &CompareSession::ready);
        m_request->compareFiles(before(), tiny());
        QTRY_COMPARE(m_errors, QStringList{QString()});
        QCOMPARE(m_shown, QStringList{tiny()});
        QCOMPARE(ready.size(), 1);
    }

    void anotherFileEndsTheComparison()
    {
        m_request->compareFiles(before(), tiny());
        QTRY_COMPARE(m_errors.size(), 1);
        QVERIFY(m_sessions->other.isOpen());
        m_request->openFiles({large()});
        QTRY_COMPARE(m_errors.size(), 2);
        QVERIFY(!m_sessions->other.isOpen());
    }

    /// Otherwise it would be compared with the file that is opened next.
    void aRunIsNotKeptForAComparisonThatDoesNotCome()
    {
        m_request->compareFiles(tiny(), brokenFile());
        QTRY_COMPARE(m_errors.size(), 1);
        QVERIFY(m_errors.first().startsWith(brokenFile()));
        QVERIFY(!m_sessions->other.isLoading() && !m_sessions->other.isOpen());
    }

    void aSecondFileThatFailsLeavesTheFirstAndSaysSo()
    {
        openWorkspace(savedWorkspace(before()));
        QTRY_COMPARE(m_errors.size(), 1);
        m_request->compareFiles(brokenFile(), large());
        QTRY_COMPARE(m_shown.last(), large());
        QTRY_VERIFY(m_errors.last().isEmpty() && m_errors.size() == 3);
        QVERIFY(m_errors[1].startsWith(brokenFile()));
        // The workspace is closed in favour of the second file, however early the first one fails.
        QVERIFY(!m_workspace->isOpen());
        QCOMPARE(m_notes->size(), 0);
    }

    void aWorkspaceWithoutItsSecondRunIsNotSavedOver()
    {
        const QString path = savedWorkspace(large(), before());
        WorkspaceFile file = readWorkspace(systemPath(path))->file;
        file.sources[1].file = referenceTo(systemPath(brokenFile()));
        QVERIFY(saveWorkspace(systemPath(path), file));
        openWorkspace(path);
        QTRY_COMPARE(m_shown, QStringList{large()});
        QTRY_VERIFY(!m_errors.isEmpty() && m_errors.first().startsWith(brokenFile()));
        QTRY_VERIFY(!m_workspace->isOpen());
        QCOMPARE(m_notes->size(), 1);
        QVERIFY(m_workspace->isDirty());
    }

    void theViewOfAWorkspaceComesWithItsFileAndTheComparisonAfterIt()
    {
        QStringList order;
        connect(m_request.get(), &OpenRequest::workspaceBegun, this, [&] { order << "begun"; });
        connect(m_request.get(), &OpenRequest::documentReady, this, [&] { order << "file"; });
        connect(m_request.get(), &OpenRequest::workspaceViewReady, this, [&] { order << "view"; });
        connect(&m_sessions->other, &CompareSession::ready, m_request.get(), &OpenRequest::takeComparison);
        connect(
            m_request.get(), &OpenRequest::workspaceComparisonReady, this, [&] { order << "comparison"; });
        openWorkspace(savedWorkspace(tiny(), before()));
        QTRY_COMPARE(m_errors, QStringList{QString()});
        QCOMPARE(order, (QStringList{"begun", "file", "view", "comparison"}));
        QVERIFY(m_workspace->isOpen() && !m_workspace->isDirty());
        m_workspace->noteChange(); // would mark changes if the workspace were complete
        QVERIFY(!m_workspace->isDirty());
    }

    void aFolderStopsTheSecondFileThatIsBeingLoaded()
    {
        CompareSession session;
        const QSignalSpy loaded(&session.loader(), &DocumentLoader::loaded);
        const QSignalSpy failed(&session, &CompareSession::failed);
        session.open(large(), CompareSession::Role::Before);
        session.open(m_folder->path(), CompareSession::Role::After); // an empty folder
        QTRY_COMPARE(failed.size(), 1);
        QTRY_VERIFY(!session.isLoading());
        QCOMPARE(loaded.size(), 0);
        QVERIFY(!session.isOpen());
    }

    /// The user may still decline the other workspace, because files of it are missing.
    void unsavedChangesLastUntilAnotherWorkspaceBegins()
    {
        WorkspaceFile file;
        NoteList notes;
        WorkspaceSession session(
            notes, [&file] { return file; }, QString());
        QSignalSpy saved(&session, &WorkspaceSession::saved);
        session.save(m_folder->filePath(QStringLiteral("b.highwater")));
        QVERIFY(saved.wait(20'000));
        file.configuration = referenceTo(systemPath(tiny()));
        session.noteChange();
        QVERIFY(session.isDirty());
        QSignalSpy opened(&session, &WorkspaceSession::opened);
        session.open(savedWorkspace(tiny()));
        QVERIFY(opened.wait(20'000));
        QVERIFY(session.isDirty());
    }

    void aTableOfNothingSaysSo()
    {
        m_request->sweepFiles({m_folder->path()}, {});
        QTRY_COMPARE(m_errors.size(), 1);
        QVERIFY(m_errors.first().contains(QStringLiteral("no recording")));
    }

    void aTableIsCompleteWhenItsPageIs()
    {
        QSignalSpy shown(m_request.get(), &OpenRequest::sweepReady);
        m_isSettled = false;
        m_request->sweepFiles({tiny(), before()}, {});
        QCOMPARE(shown.size(), 1);
        QTRY_VERIFY(!m_sessions->sweep.isLoading());
        QVERIFY(m_errors.isEmpty());
        m_isSettled = true;
        m_request->check();
        QTRY_COMPARE(m_errors, QStringList{QString()});
    }
};

HIGHWATER_APP_TEST(OpenRequestTest)

} // namespace highwater::gui::test

#include "open_request_test.moc"
