#include <QAction>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/parts/message_bar.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/watch_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of files that arrive in a watched folder, and of the run that was open before.
class WatchFolderTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { useScratchSettings(); }

    void oneKeyComparesWithTheRunThatWasOpenBefore()
    {
        MainWindow window(false);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy complete(&window, &MainWindow::complete);
        window.openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_COMPARE(complete.size(), 1);
        QVERIFY(!window.actions().compareLast->isEnabled());
        window.openFile(samplePath(QStringLiteral("r1-grpo-after")));
        QTRY_COMPARE(complete.size(), 2);
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        const Comparison& runs = *window.pages().compare.state().comparison();
        QCOMPARE(runs.before.peak().bytes, Bytes{24287511136});
        QCOMPARE(runs.after.peak().bytes, Bytes{24322085344});
    }

    void aRecordingThatArrivesInAWatchedFolderIsOpened()
    {
        using namespace std::chrono_literals;
        const QTemporaryDir folder;
        MainWindow window(false);
        window.show();
        QSignalSpy complete(&window, &MainWindow::complete);
        window.watching().watcher().setTimes(5ms, 20ms);
        window.watching().watch(folder.path());
        QVERIFY(window.actions().watchFolder->isChecked());
        QTRY_VERIFY(window.watching().watcher().hasBegun());
        QVERIFY(QFile::copy(
            samplePath(QStringLiteral("tiny-hand-checked")), folder.filePath(QStringLiteral("new.pickle"))));
        QTRY_COMPARE(complete.size(), 1);
        QVERIFY(window.windowTitle().contains(QLatin1String("new.pickle")));
        window.actions().watchFolder->trigger();
        QVERIFY(window.watching().watcher().folder().isEmpty());
    }

    void whatAWatchedFolderHoldsIsOpenedWhereNothingIs()
    {
        const QTemporaryDir folder;
        QVERIFY(QFile::copy(
            samplePath(QStringLiteral("tiny-hand-checked")), folder.filePath(QStringLiteral("run1.pickle"))));
        MainWindow window(false);
        window.show();
        QSignalSpy complete(&window, &MainWindow::complete);
        window.watching().watch(folder.path());
        QTRY_COMPARE(complete.size(), 1);
        QVERIFY(window.windowTitle().contains(QLatin1String("run1.pickle")));
    }

    void oneKeyComparesAnArrivalWithTheRunBeforeItInTheFolder()
    {
        using namespace std::chrono_literals;
        const QTemporaryDir folder;
        const auto add = [&folder](const QString& sample, const QString& name) {
            return QFile::copy(samplePath(sample), folder.filePath(name));
        };
        QVERIFY(add(QStringLiteral("tiny-hand-checked"), QStringLiteral("run1.pickle")));
        MainWindow window(false);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy complete(&window, &MainWindow::complete);
        window.openFile(samplePath(QStringLiteral("oom-fragmentation")));
        QTRY_COMPARE(complete.size(), 1);
        window.watching().watcher().setTimes(5ms, 20ms);
        window.watching().watch(folder.path());
        QTRY_VERIFY(window.watching().watcher().hasBegun());
        QCOMPARE(complete.size(), 1); // the run on screen stays
        const auto* question = window.findChild<MessageBar*>(QStringLiteral("questionBar"));
        QVERIFY(question->text().startsWith(QLatin1String("run1.pickle: is the newest")));
        QVERIFY(add(QStringLiteral("r1-grpo-after"), QStringLiteral("run2.pickle")));
        QTRY_COMPARE(complete.size(), 2);
        QVERIFY(question->text().isEmpty()); // another one is the newest now
        QVERIFY(window.actions().compareLast->text().contains(QLatin1String("run1.pickle")));
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        QCOMPARE(window.pages().compare.state().comparison()->before.document->fileName(), "run1.pickle");
        QVERIFY(!window.statusBar()->currentMessage().contains(QLatin1String("has arrived")));
    }

    void theOpenFileIsNotOffered()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run1.pickle"));
        QVERIFY(QFile::copy(samplePath(QStringLiteral("tiny-hand-checked")), path));
        MainWindow window(false);
        window.show();
        QSignalSpy complete(&window, &MainWindow::complete);
        window.openFile(path);
        QTRY_COMPARE(complete.size(), 1);
        window.watching().watch(folder.path());
        QTRY_VERIFY(window.watching().watcher().hasBegun());
        QVERIFY(window.findChild<MessageBar*>(QStringLiteral("questionBar"))->text().isEmpty());
    }

    void anArrivalLeavesAComparisonOpenAndIsOffered()
    {
        using namespace std::chrono_literals;
        const QTemporaryDir folder;
        MainWindow window(false);
        window.show();
        QSignalSpy complete(&window, &MainWindow::complete);
        window.openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_COMPARE(complete.size(), 1);
        emit window.pages().document.stepsCompared(1, 4);
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        window.watching().watcher().setTimes(5ms, 20ms);
        window.watching().watch(folder.path());
        QTRY_VERIFY(window.watching().watcher().hasBegun());
        QVERIFY(QFile::copy(
            samplePath(QStringLiteral("tiny-hand-checked")), folder.filePath(QStringLiteral("run2.pickle"))));
        const auto* question = window.findChild<MessageBar*>(QStringLiteral("questionBar"));
        QTRY_VERIFY(question->text().startsWith(QLatin1String("run2.pickle: has arrived")));
        QVERIFY(isOn(window.pages().compare));
    }

    void oneKeyComparesTheOpenRunWithAnArrivalThatUnsavedNotesKeepFromOpening()
    {
        using namespace std::chrono_literals;
        const QTemporaryDir folder;
        MainWindow window(false);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy complete(&window, &MainWindow::complete);
        window.openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_COMPARE(complete.size(), 1);
        Note note;
        note.title = "not saved";
        note.place = NotedMoment{3};
        window.notes().list().add(note);
        window.watching().watcher().setTimes(5ms, 20ms);
        window.watching().watch(folder.path());
        QTRY_VERIFY(window.watching().watcher().hasBegun());
        QVERIFY(QFile::copy(
            samplePath(QStringLiteral("r1-grpo-after")), folder.filePath(QStringLiteral("run2.pickle"))));
        const auto* question = window.findChild<MessageBar*>(QStringLiteral("questionBar"));
        QTRY_VERIFY(question->text().startsWith(QLatin1String("run2.pickle: has arrived")));
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        const Comparison& runs = *window.pages().compare.state().comparison();
        QCOMPARE(runs.before.peak().bytes, Bytes{24287511136});
        QCOMPARE(runs.after.document->fileName(), "run2.pickle");
        QVERIFY(question->text().isEmpty());
        QCOMPARE(window.notes().list().size(), 1);
    }
};

HIGHWATER_APP_TEST(WatchFolderTest)

} // namespace highwater::gui::test

#include "watch_folder_test.moc"
