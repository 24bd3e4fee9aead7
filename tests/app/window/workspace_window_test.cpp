#include <QAction>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/loading/files/workspace_store.h"
#include "app/views/budget/budget_view.h"
#include "app/views/parts/message_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/missing_sources_dialog.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/report_commands.h"
#include "app/window/commands/watch_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/start/command_line.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of saving, opening and recovering workspaces as a user does it.
class WorkspaceWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    WorkspaceSession& workspace() { return m_window->workspace(); }
    QString at(const QString& name) const { return m_folder->path() + QLatin1Char('/') + name; }
    static std::string bytesOf(const QString& path) { return QFile::encodeName(path).toStdString(); }
    QString stateFolder() const { return at(QStringLiteral("state/highwater")); }
    QStringList autosaves() const
    {
        return QDir(stateFolder()).entryList({QStringLiteral("*.highwater")}, QDir::Files);
    }

    /// Returns a copy of a sample, which can be moved and changed.
    QString copyOf(const QString& sample, const QString& name)
    {
        QDir().mkpath(QFileInfo(at(name)).path());
        const bool copied = QFile::copy(samplePath(sample), at(name));
        return copied ? at(name) : QString();
    }

    void renewWindow()
    {
        m_window.reset();
        m_window = std::make_unique<MainWindow>(true);
        workspace().setAutosavePace(1);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void open(const QString& path)
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->openFile(path);
        QVERIFY(complete.wait(20'000));
        QCOMPARE(complete.at(0).at(0).toString(), QString());
    }
    void note(const std::string& title, NotePlace place = NotedMoment{3})
    {
        Note note;
        note.title = title;
        note.place = std::move(place);
        m_window->notes().list().add(note);
    }
    void saveAs(const QString& path)
    {
        QSignalSpy saved(&workspace(), &WorkspaceSession::saved);
        whenDialog<QFileDialog>([path](QFileDialog& dialog) {
            dialog.findChild<QLineEdit*>()->setText(path);
            QTest::keyClick(&dialog, Qt::Key_Return);
        });
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(saved.count() == 1 || saved.wait(20'000));
    }
    /// Does something with the next dialog as soon as it is open.
    template <typename Dialog, typename Work>
    void whenDialog(Work work)
    {
        auto* timer = new QTimer(this);
        timer->setInterval(10);
        connect(timer, &QTimer::timeout, this, [timer, work] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            timer->stop();
            timer->deleteLater();
            work(*dialog);
        });
        timer->start();
    }
    void answerUnsaved(QMessageBox::StandardButton answer)
    {
        whenDialog<QMessageBox>(
            [answer](QMessageBox& box) { QTest::mouseClick(box.button(answer), Qt::LeftButton); });
    }
    MessageBar& question() { return *m_window->findChild<MessageBar*>("unsavedBar"); }
    void answerQuestion(const QString& text)
    {
        for (QPushButton* button : question().findChildren<QPushButton*>())
            if (button->text() == text)
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL("no such answer");
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_STATE_HOME", QFile::encodeName(at(QStringLiteral("state"))));
        renewWindow();
    }
    void cleanup() { m_window.reset(); }

    void nothingCanBeSavedBeforeSomethingIsOpen()
    {
        QVERIFY(!m_window->actions().saveWorkspace->isEnabled());
        open(samplePath("tiny-hand-checked"));
        QVERIFY(m_window->actions().saveWorkspace->isEnabled());
    }

    void theTitleNamesTheWorkspaceAndMarksWhatIsNotSaved()
    {
        open(samplePath("tiny-hand-checked"));
        QVERIFY(!m_window->isWindowModified());
        note("here");
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("tiny-hand-checked.pickle.zst[*] — Highwater"));
        saveAs(at("run"));
        QCOMPARE(m_window->windowTitle(),
            QStringLiteral("run.highwater[*] — tiny-hand-checked.pickle.zst — Highwater"));
        QVERIFY(!m_window->isWindowModified());
        m_window->notes().list().undoStack().undo();
        QVERIFY(m_window->isWindowModified());
        m_window->notes().list().undoStack().redo();
        QVERIFY(!m_window->isWindowModified());
    }

    void notesFilesAndViewComeBack()
    {
        const QString recording = copyOf("r1-grpo-before", "data/a.pickle.zst");
        open(recording);
        page().setAxis(AxisKind::Time);
        page().bandView().setMode(BandMode::Site);
        page().zoomTo(1000, 2000);
        page().selection().setCursor(1500);
        m_window->openView("steps");
        page().analysisSettings().setRules({{Category::Gradient, "backward", 0, 1'000'000, ""}});
        m_window->byteCommands().capacities().choose(
            recording, DeviceCapacity{Bytes{40} << 30, CapacitySource::Chosen, "A100 40", -1});
        note("the first", NotedRange{1000, 1200});
        note("the second", NotedSite{"train.py:1 f"});
        const Notes notes = m_window->notes().list().notes();
        saveAs(at("run.highwater"));

        QSettings().clear();
        renewWindow();
        open(at("run.highwater"));
        QCOMPARE(QString::fromStdString(page().document()->path), recording);
        QCOMPARE(m_window->notes().list().notes(), notes);
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(page().axis(), AxisKind::Time);
        QCOMPARE(page().bandView().wantedMode(), BandMode::Site);
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("steps"));
        const EventScale& scale = page().analysis()->scale(AxisKind::Time);
        QCOMPARE(scale.firstEventFrom(page().range().x().begin), 1000);
        QCOMPARE(scale.eventAt(page().range().x().end), 2000);
        QCOMPARE(page().selection().cursor(), std::optional<std::int64_t>(1500));
        QCOMPARE(page().analysisSettings().rules().size(), 1u);
        QCOMPARE(page().capacity()->gpu, std::string("A100 40"));
    }

    void anUnknownAxisLeavesTheOneOnScreen()
    {
        const QString recording = copyOf("r1-grpo-before", "data/a.pickle.zst");
        open(recording);
        page().setAxis(AxisKind::Time);
        saveAs(at("run.highwater"));
        QFile file(at("run.highwater"));
        QVERIFY(file.open(QFile::ReadOnly));
        const QByteArray text = file.readAll().replace("\"time\"", "\"furlong\"");
        file.close();
        QVERIFY(text.contains("furlong"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(text);
        file.close();

        renewWindow();
        open(recording);
        page().setAxis(AxisKind::Time);
        open(at("run.highwater"));
        QCOMPARE(page().axis(), AxisKind::Time);
    }

    void theChoicesOfItsReportComeBackAndAreKept()
    {
        WorkspaceFile file;
        for (const auto& [name, role] : {std::pair("r3-vocabulary-before", NoteRun::Before),
                 std::pair("r3-vocabulary-after", NoteRun::After)}) {
            WorkspaceSource source;
            source.file = referenceTo(bytesOf(samplePath(QLatin1String(name))));
            source.role = role;
            source.isShown = true;
            file.sources.push_back(std::move(source));
        }
        file.report = {"", {"facts", "summary"}, "Did it help?", false};
        const QString path = at("chosen.highwater");
        QVERIFY(saveWorkspace(bytesOf(path), file));
        open(path);
        note("makes it worth saving");
        QSignalSpy saved(&workspace(), &WorkspaceSession::saved);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(saved.count() == 1 || saved.wait(20'000)); // before anyone views the report
        QCOMPARE(readWorkspace(bytesOf(path))->file.notes.size(), 1u);
        QCOMPARE(readWorkspace(bytesOf(path))->file.report, file.report);
        m_window->report().show();
        ReportView& view = m_window->pages().report;
        QTRY_VERIFY(view.session().report() && view.isSettled());
        QCOMPARE(view.options().parts, (std::vector{ReportPart::Facts, ReportPart::Summary}));
        QCOMPARE(view.options().kind, ReportTemplate::BeforeAfter);
        QCOMPARE(view.options().title, std::string("Did it help?"));
    }

    void bothRunsOfAComparisonComeBack()
    {
        const QString before = copyOf("r1-grpo-before", "before.pickle.zst");
        const QString after = copyOf("r1-grpo-after", "after.pickle.zst");
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->compareFiles(before, after);
        QVERIFY(complete.wait(20'000));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        m_window->pages().compare.state().setAxis(RunAxis::Event);
        m_window->pages().compare.state().setGroup(GroupKey::Size);
        note("it moved", NotedRow{"size", "4096"});
        saveAs(at("pair.highwater"));
        const auto saved = readWorkspace(bytesOf(at("pair.highwater")));
        QCOMPARE(saved->file.sources.size(), 2u);
        QCOMPARE(saved->file.sources[1].file.path, std::string("before.pickle.zst"));
        QCOMPARE(saved->file.sources[1].role, NoteRun::Before);

        renewWindow();
        open(at("pair.highwater"));
        QTRY_VERIFY(isOn(m_window->pages().compare));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        const auto& comparison = m_window->pages().compare.state().comparison();
        QCOMPARE(QString::fromStdString(comparison->before.document->path), before);
        QCOMPARE(QString::fromStdString(comparison->after.document->path), after);
        QCOMPARE(m_window->pages().compare.state().alignment()->axis, RunAxis::Event);
        QCOMPARE(m_window->pages().compare.state().group(), GroupKey::Size);
        QVERIFY(!m_window->isWindowModified());
    }

    void twoComparedStepsOfARunComeBack()
    {
        open(copyOf("r1-grpo-before", "a.pickle.zst"));
        emit page().stepsCompared(2, 9);
        ComparisonState& state = m_window->pages().compare.state();
        QTRY_VERIFY(state.comparison() && m_window->pages().compare.isSettled());
        state.setGroup(GroupKey::File);
        const ComparedMoments moments = state.moments();
        saveAs(at("steps.highwater"));

        renewWindow();
        open(at("steps.highwater"));
        QVERIFY(isOn(m_window->pages().compare));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        QCOMPARE(m_window->pages().compare.state().moments(), moments);
        QCOMPARE(m_window->pages().compare.state().group(), GroupKey::File);
        QVERIFY(!m_window->isWindowModified());
    }

    void comparedEventsThatTheRunLacksAreIgnored()
    {
        WorkspaceFile file;
        WorkspaceSource& source = file.sources.emplace_back();
        source.file = referenceTo(bytesOf(samplePath("tiny-hand-checked")));
        source.isShown = true;
        file.view.comparedEvents = {0, 1'000'000};
        QVERIFY(saveWorkspace(bytesOf(at("late.highwater")), file).has_value());
        open(at("late.highwater"));
        QVERIFY(isOn(page()));
    }

    void swappedRunsKeepTheirRoles()
    {
        const QString first = copyOf("r1-grpo-before", "first.pickle.zst");
        const QString second = copyOf("r1-grpo-after", "second.pickle.zst");
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->compareFiles(first, second);
        QVERIFY(complete.wait(20'000));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        note("about the second", NotedMoment{7});
        QCOMPARE(m_window->notes().list().notes()[0].run, NoteRun::After);
        m_window->actions().swapRuns->trigger();
        QTRY_COMPARE(
            QString::fromStdString(m_window->pages().compare.state().comparison()->before.document->path),
            second);
        saveAs(at("pair.highwater"));
        renewWindow();
        open(at("pair.highwater"));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        QCOMPARE(
            QString::fromStdString(m_window->pages().compare.state().comparison()->before.document->path),
            second);
        QTRY_VERIFY(m_window->pages().compare.isSettled());
        QCOMPARE(m_window->notes().list().notes()[0].run, NoteRun::Before);
    }

    void aRunBeforeOfSeveralFilesStaysTheRunBefore()
    {
        const QString before = copyOf("r1-grpo-before", "a.pickle.zst");
        QFile::copy(logPath("r5-flan-t5-xl.log"), at("a.log"));
        const QString after = copyOf("r1-grpo-after", "b.pickle.zst");
        WorkspaceFile file;
        for (const QString& path : {after, before, at("a.log")}) {
            WorkspaceSource& source = file.sources.emplace_back();
            source.file = referenceTo(bytesOf(path));
            source.role = path == after ? NoteRun::After : NoteRun::Before;
            source.isShown = path == before;
        }
        file.notes.emplace_back().run = NoteRun::Before;
        QVERIFY(saveWorkspace(bytesOf(at("pair.highwater")), file).has_value());
        open(at("pair.highwater"));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        QTRY_VERIFY(m_window->pages().compare.isSettled());
        const auto& comparison = m_window->pages().compare.state().comparison();
        QCOMPARE(QString::fromStdString(comparison->before.document->path), before);
        QCOMPARE(m_window->sessions().run.run().fileCount(), 2u);
        QCOMPARE(m_window->notes().list().notes()[0].run, NoteRun::Before);
        QVERIFY(!m_window->isWindowModified());

        QSignalSpy saved(&workspace(), &WorkspaceSession::saved);
        workspace().save(at("again.highwater"));
        QVERIFY(saved.wait(20'000));
        const auto again = readWorkspace(bytesOf(at("again.highwater")));
        QCOMPARE(again->file.notes[0].run, NoteRun::Before);
        for (const WorkspaceSource& source : again->file.sources)
            QCOMPARE(source.role, source.file.path == "b.pickle.zst" ? NoteRun::After : NoteRun::Before);
    }

    void aRunOfSeveralFilesComesBackWithTheOneThatWasShownAndItsOffsets()
    {
        const QString snapshot = copyOf("r1-grpo-before", "run/a.pickle.zst");
        QFile::copy(logPath("r5-flan-t5-xl.log"), at("run/z.log"));
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->openFiles({snapshot, at("run/z.log")});
        QVERIFY(complete.wait(20'000));
        QTRY_COMPARE(page().auxiliarySources().sources().size(), 1u);
        page().auxiliarySources().setOffset(0, -1'234'567'890);
        note("together");
        saveAs(at("run.highwater"));

        renewWindow();
        open(at("run.highwater"));
        QTRY_COMPARE(page().auxiliarySources().sources().size(), 1u);
        QCOMPARE(page().auxiliarySources().sources()[0].trace.offset, -1'234'567'890);
        QCOMPARE(QString::fromStdString(page().document()->path), snapshot);
        QVERIFY(!m_window->isWindowModified());
    }

    void anotherOffsetOfAnOpenWorkspaceIsAChangeAndAnotherViewIsNone()
    {
        open(copyOf("r1-grpo-before", "a.pickle.zst"));
        saveAs(at("run.highwater"));
        page().zoomTo(10, 20);
        m_window->openView("steps");
        QVERIFY(!m_window->isWindowModified());
        page().analysisSettings().setRules({{Category::Gradient, "x", 0, 9, ""}});
        QVERIFY(m_window->isWindowModified());
    }

    void itsRulesHoldAsLongAsItIsOpen()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        const std::vector<CategoryRule> itsOwn{{Category::Gradient, "x", 0, 9, ""}};
        page().analysisSettings().setRules(itsOwn);
        saveAs(at("run.highwater"));
        open(samplePath("host-pinned"));
        QCOMPARE(page().analysisSettings().rules().size(), 1u); // they belong to the user
        renewWindow();
        open(at("run.highwater"));
        QVERIFY(page().analysisSettings().rules() == itsOwn);
        open(samplePath("host-pinned"));
        QVERIFY(page().analysisSettings().rules().empty());
    }

    void aWorkspaceOfVersionOneOpens()
    {
        open(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/workspace/format-1.highwater"));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        QCOMPARE(m_window->notes().list().size(), 4);
        QVERIFY(isOn(m_window->pages().compare));
        QVERIFY(!m_window->isWindowModified());
    }

    void aWorkspaceThatIsBrokenSaysWhere()
    {
        QFile file(at("broken.highwater"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("{\"format\": \"highwater-workspace\", oops");
        file.close();
        open(samplePath("tiny-hand-checked"));
        note("kept");
        workspace().save(at("other.highwater"));
        QTRY_VERIFY(workspace().isOpen());
        m_window->openFile(at("broken.highwater"));
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        QVERIFY(m_window->errorText().contains("(at byte 34)"));
        QCOMPARE(m_window->notes().list().size(), 1);
        QVERIFY(workspace().path().endsWith("other.highwater"));
    }

    void aFileThatMovedIsFoundByItsHash()
    {
        open(copyOf("tiny-hand-checked", "data/a.pickle.zst"));
        saveAs(at("run.highwater"));
        renewWindow();
        QVERIFY(QFile::rename(at("data/a.pickle.zst"), at("renamed.zst")));
        open(at("run.highwater"));
        QCOMPARE(QString::fromStdString(page().document()->path), at("renamed.zst"));
    }

    void aMissingFileIsAskedForAndFoundWhereTheUserSays()
    {
        open(copyOf("tiny-hand-checked", "data/a.pickle.zst"));
        note("about it");
        saveAs(at("run.highwater"));
        renewWindow();
        QDir().mkpath(at("far/away/from/here"));
        QVERIFY(QFile::rename(at("data/a.pickle.zst"), at("far/away/from/here/b.zst")));
        whenDialog<MissingSourcesDialog>([this](MissingSourcesDialog& dialog) {
            QCOMPARE(dialog.rowCount(), 1u);
            auto* open = dialog.findChild<QPushButton*>("openWorkspaceButton");
            QVERIFY(!open->isEnabled());
            QVERIFY(!dialog.findChild<QPushButton*>("use0")->isEnabled());
            dialog.locate(0, at("far/away/from/here/b.zst"));
            QTRY_VERIFY(open->isEnabled());
            QTest::mouseClick(open, Qt::LeftButton);
        });
        open(at("run.highwater"));
        QCOMPARE(QString::fromStdString(page().document()->path), at("far/away/from/here/b.zst"));
        QCOMPARE(m_window->notes().list().size(), 1);
    }

    void aChangedFileIsUsedOnlyWhenTheUserSaysSo()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        saveAs(at("run.highwater"));
        renewWindow();
        QVERIFY(QFile::remove(at("a.pickle.zst")));
        copyOf("host-pinned", "a.pickle.zst");
        whenDialog<MissingSourcesDialog>([](MissingSourcesDialog& dialog) {
            QVERIFY(!dialog.findChild<QPushButton*>("openWorkspaceButton")->isEnabled());
            QTest::mouseClick(dialog.findChild<QPushButton*>("use0"), Qt::LeftButton);
            QTest::mouseClick(dialog.findChild<QPushButton*>("openWorkspaceButton"), Qt::LeftButton);
        });
        open(at("run.highwater"));
        QVERIFY(page().statusText().startsWith("1,208 events"));
    }

    void aFileThatIsLeftOutIsNoPartOfItAnyMore()
    {
        const QString before = copyOf("r1-grpo-before", "before.pickle.zst");
        const QString after = copyOf("r1-grpo-after", "after.pickle.zst");
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->compareFiles(before, after);
        QVERIFY(complete.wait(20'000));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        saveAs(at("pair.highwater"));
        renewWindow();
        QVERIFY(QFile::remove(before));
        whenDialog<MissingSourcesDialog>([](MissingSourcesDialog& dialog) {
            QTest::mouseClick(dialog.findChild<QPushButton*>("leaveOut0"), Qt::LeftButton);
            QTest::mouseClick(dialog.findChild<QPushButton*>("openWorkspaceButton"), Qt::LeftButton);
        });
        open(at("pair.highwater"));
        QVERIFY(isOn(m_window->page()));
        QCOMPARE(QString::fromStdString(page().document()->path), after);
    }

    void aWindowForScriptsDoesNotAskForAMissingFileAndDoesNotGuess()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        saveAs(at("run.highwater"));
        QVERIFY(QFile::remove(at("a.pickle.zst")));
        MainWindow script(false);
        QSignalSpy complete(&script, &MainWindow::complete);
        script.openWorkspace(at("run.highwater"));
        QVERIFY(complete.wait(20'000));
        QVERIFY(complete.at(0).at(0).toString().contains("a.pickle.zst is neither at its old place"));
        QVERIFY(!isOn(script.page()));
    }

    void closingAsksAboutNotesThatAreNotSaved()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        saveAs(at("run.highwater"));
        note("new");
        answerUnsaved(QMessageBox::Cancel);
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        answerUnsaved(QMessageBox::Save);
        QVERIFY(!m_window->close()); // it closes only after the file is written
        QTRY_VERIFY(!m_window->isVisible());
        QCOMPARE(readWorkspace(bytesOf(at("run.highwater")))->file.notes.size(), 1u);
    }

    void theQuestionAfterASavedNoteIsUndoneSaysWhatSavingRemoves()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("new");
        saveAs(at("run.highwater"));
        m_window->notes().list().undoStack().undo();
        QString asked;
        whenDialog<QMessageBox>([&asked](QMessageBox& box) {
            asked = box.text() + box.informativeText();
            QTest::mouseClick(box.button(QMessageBox::Discard), Qt::LeftButton);
        });
        QVERIFY(m_window->close());
        QVERIFY2(asked.contains(QLatin1String("are undone")), qPrintable(asked));
        QVERIFY2(asked.contains(QLatin1String("Save removes them from the file")), qPrintable(asked));
        QVERIFY2(!asked.contains(QLatin1String("unsaved")), qPrintable(asked));
    }

    void closingWithoutSavingLeavesTheFileAndNoCopy()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        saveAs(at("run.highwater"));
        note("new");
        QTRY_COMPARE(autosaves().size(), 1);
        answerUnsaved(QMessageBox::Discard);
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(autosaves().isEmpty());
        QVERIFY(readWorkspace(bytesOf(at("run.highwater")))->file.notes.empty());
    }

    void whatWasUndoneLeavesNoCopy()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("new");
        QTRY_COMPARE(autosaves().size(), 1);
        m_window->notes().list().undoStack().undo();
        QTRY_VERIFY(autosaves().isEmpty());
    }

    void aWorkspaceThatIsStillBeingOpenedIsNotSavedOver()
    {
        const QString before = copyOf("r1-grpo-before", "before.pickle.zst");
        const QString after = copyOf("r1-grpo-after", "after.pickle.zst");
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->compareFiles(before, after);
        QVERIFY(complete.wait(20'000));
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        saveAs(at("pair.highwater"));
        renewWindow();
        m_window->openFile(at("pair.highwater"));
        QTRY_VERIFY(workspace().isOpen());
        QSignalSpy failed(&workspace(), &WorkspaceSession::saveFailed);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        workspace().save(workspace().path());
        QVERIFY(failed.count() >= 1);
        QTRY_VERIFY(m_window->pages().compare.state().comparison());
        QCOMPARE(readWorkspace(bytesOf(at("pair.highwater")))->file.sources.size(), 2u);
    }

    void aFileOfAWorkspaceThatCannotBeReadDoesNotCostItsNotes()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("kept in the file");
        saveAs(at("run.highwater"));
        WorkspaceFile file = readWorkspace(bytesOf(at("run.highwater")))->file;
        QVERIFY(QFile::copy(brokenPath("calls-os-system.pickle"), at("broken.pickle")));
        file.sources[0].file = referenceTo(bytesOf(at("broken.pickle")));
        QVERIFY(saveWorkspace(bytesOf(at("broken.highwater")), file).has_value());
        renewWindow();
        open(samplePath("host-pinned"));
        m_window->openFile(at("broken.highwater"));
        QTRY_VERIFY(m_window->errorText().startsWith("broken.pickle: "));
        QVERIFY(!workspace().isOpen());
        QCOMPARE(readWorkspace(bytesOf(at("broken.highwater")))->file.notes.size(), 1u);
    }

    void openingAnotherFileAsksFirst()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("new");
        answerUnsaved(QMessageBox::Cancel);
        m_window->openFile(samplePath("host-pinned"));
        QCOMPARE(m_window->notes().list().size(), 1);
        QVERIFY(!m_window->sessions().loader.isLoading());
        answerUnsaved(QMessageBox::Discard);
        open(samplePath("host-pinned"));
        QCOMPARE(m_window->notes().list().size(), 0);
        QVERIFY(!workspace().isOpen());
    }

    void anOfferStaysWhereItsQuestionIsCancelled()
    {
        using namespace std::chrono_literals;
        QVERIFY(QDir().mkpath(at("watched")));
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("new");
        m_window->watching().watcher().setTimes(5ms, 20ms);
        m_window->watching().watch(at("watched"));
        QTRY_VERIFY(m_window->watching().watcher().hasBegun());
        copyOf("host-pinned", "watched/b.pickle.zst");
        auto* offer = m_window->findChild<MessageBar*>("questionBar");
        QTRY_VERIFY(offer->isVisible());
        for (QPushButton* button : offer->findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Open")) {
                answerUnsaved(QMessageBox::Cancel);
                QTest::mouseClick(button, Qt::LeftButton);
            }
        QCOMPARE(m_window->notes().list().size(), 1);
        QVERIFY(offer->isVisible());
        QVERIFY(m_window->actions().compareLast->isEnabled());
    }

    void aFileThatCannotBeOpenedLeavesTheNotesAlone()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("kept");
        saveAs(at("run.highwater"));
        m_window->openFile(brokenPath("calls-os-system.pickle"));
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        QCOMPARE(m_window->notes().list().size(), 1);
        QVERIFY(workspace().isOpen());
    }

    void whatCannotBeSavedSaysWhyAndIsStillThere()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("kept");
        QSignalSpy failed(&workspace(), &WorkspaceSession::saveFailed);
        workspace().save(at("a.pickle.zst/run.highwater"));
        QVERIFY(failed.wait(20'000));
        QVERIFY(m_window->errorText().startsWith(QStringLiteral("run.highwater: cannot be saved")));
        QVERIFY(m_window->errorText().contains(QStringLiteral("folder is a file")));
        QVERIFY(m_window->isWindowModified());
        QVERIFY(!workspace().isOpen());
    }

    void unsavedNotesOutliveACrash()
    {
        const QString recording = copyOf("tiny-hand-checked", "a.pickle.zst");
        open(recording);
        note("saved");
        saveAs(at("run.highwater"));
        note("not saved");
        QTRY_COMPARE(autosaves().size(), 1);
        workspace().waitForSaves();
        renewWindow(); // the previous window was lost without being closed
        QTRY_VERIFY(question().isVisible());
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        answerQuestion("Restore");
        QVERIFY(complete.wait(20'000));
        QCOMPARE(m_window->notes().list().size(), 2);
        QCOMPARE(m_window->notes().list().notes()[1].title, std::string("not saved"));
        QCOMPARE(QString::fromStdString(page().document()->path), recording);
        QCOMPARE(workspace().path(), at("run.highwater"));
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(readWorkspace(bytesOf(at("run.highwater")))->file.notes.size(), 1u);
        QSignalSpy saved(&workspace(), &WorkspaceSession::saved);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(saved.wait(20'000));
        QCOMPARE(readWorkspace(bytesOf(at("run.highwater")))->file.notes.size(), 2u);
        QTRY_VERIFY(autosaves().isEmpty());
    }

    void notesThatWereNeverSavedOutliveACrashToo()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("never saved");
        QTRY_COMPARE(autosaves().size(), 1);
        workspace().waitForSaves();
        renewWindow();
        QTRY_VERIFY(question().isVisible());
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        answerQuestion("Restore");
        QVERIFY(complete.wait(20'000));
        QCOMPARE(m_window->notes().list().size(), 1);
        QVERIFY(!workspace().isOpen());
        QVERIFY(m_window->isWindowModified());
    }

    void unsavedNotesAreOfferedOnlyOnTheStartPageAndWithTheirFile()
    {
        const QString noted = copyOf("tiny-hand-checked", "noted.pickle.zst");
        const QString other = copyOf("tiny-hand-checked", "other.pickle.zst");
        open(noted);
        note("never saved");
        QTRY_COMPARE(autosaves().size(), 1);
        workspace().waitForSaves();
        renewWindow();
        QTRY_VERIFY(question().isVisible());
        QVERIFY2(question().text().contains("noted.pickle.zst"), qPrintable(question().text()));
        open(other);
        QVERIFY(!question().isVisible());
        open(noted);
        QTRY_VERIFY(question().isVisible());
        QVERIFY(question().mapTo(m_window.get(), QPoint(0, question().height())).y()
            <= page().mapTo(m_window.get(), QPoint()).y());
    }

    void whatACrashLeftCanBeDiscarded()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("never saved");
        QTRY_COMPARE(autosaves().size(), 1);
        workspace().waitForSaves();
        renewWindow();
        QTRY_VERIFY(question().isVisible());
        answerQuestion("Discard");
        QVERIFY(!question().isVisible());
        QVERIFY(autosaves().isEmpty());
    }

    void aDroppedWorkspaceOpens()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        note("dropped");
        saveAs(at("run.highwater"));
        renewWindow();
        open(samplePath("host-pinned"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(at("run.highwater"))});
        QDragEnterEvent enter(QPoint(600, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDropEvent drop(QPointF(600, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QTRY_COMPARE(m_window->notes().list().size(), 1);
        QTRY_VERIFY(page().statusText().startsWith("22 events"));
    }

    void theRecentFilesNameTheWorkspace()
    {
        open(copyOf("tiny-hand-checked", "a.pickle.zst"));
        saveAs(at("run.highwater"));
        renewWindow();
        open(at("run.highwater"));
        QCOMPARE(QSettings().value("recentFiles").toStringList().first(), at("run.highwater"));
    }

    void theCommandLineTakesAWorkspace()
    {
        const QString sample = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/workspace/format-1.highwater");
        QCOMPARE(parseCommandLine({"highwater-gui", "--workspace", sample}).commandLine.workspace, sample);
        const CommandLineAnswer asFile = parseCommandLine({"highwater-gui", sample});
        QCOMPARE(asFile.commandLine.workspace, sample);
        QVERIFY(asFile.commandLine.files.isEmpty());
        QVERIFY(parseCommandLine({"highwater-gui", "--workspace", sample, "a.pickle"})
                    .error.startsWith(QStringLiteral("--workspace ")));
    }
};

HIGHWATER_APP_TEST(WorkspaceWindowTest)

} // namespace highwater::gui::test

#include "workspace_window_test.moc"
