#include <filesystem>

#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/compare/sweep_view.h"
#include "app/views/log/log_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

namespace fs = std::filesystem;

const QByteArray kText = "A run of Tuesday, with notes.\n";
const QByteArray kLog
    = "[titan] 2026-09-21 13:33:20,774 - root - INFO - step:  1  loss:  4.6  memory:  0.19GiB(0.41%)\n"
      "[titan] 2026-09-21 13:33:21,774 - root - INFO - step:  2  loss:  4.5  memory:  0.19GiB(0.41%)\n";

} // namespace

/// Tests of folders as runs leave them: snapshots among texts, logs, other folders and unreadable files.
class RunFolderTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    QString path(const QString& name) const { return m_folder->filePath(name); }
    fs::path systemPath(const QString& name) const { return path(name).toStdString(); }

    void write(const QString& name, const QByteArray& text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    void addSnapshot(const QString& name)
    {
        QVERIFY(QFile::copy(samplePath(QStringLiteral("tiny-hand-checked")), path(name)));
    }

    QString shownName() const
    {
        const auto& document = m_window->page().document();
        return isOn(m_window->page()) && document ? QString::fromStdString(document->fileName()) : QString();
    }

    void openFolder()
    {
        m_window->openFiles({m_folder->path()});
        QTRY_VERIFY(!m_window->sessions().loader.isLoading() && !m_window->sessions().run.run().isLoading());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1200, 800);
        m_window->show();
    }
    void cleanup()
    {
        m_window.reset();
        m_folder.reset();
    }

    void theSnapshotIsShownWhateverStandsBeforeIt_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("a README") << "README.md" << kText;
        QTest::newRow("a configuration") << "config.yaml" << QByteArray("learning_rate: 0.1\n");
        QTest::newRow("a log without figures") << "a-train.log" << QByteArray("starting\ndone\n");
        QTest::newRow("nothing") << "a-empty.log" << QByteArray();
        QTest::newRow("a page") << "a-index.html" << QByteArray("<html><body>hi</body></html>");
        QTest::newRow("noise") << "a.bin" << QByteArray(64, '\x01');
        QTest::newRow("a workspace") << "a.highwater"
                                     << QByteArray("{\"highwater_workspace\": 1, \"sources\": []}");
    }

    void theSnapshotIsShownWhateverStandsBeforeIt()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        write(name, content);
        addSnapshot(QStringLiteral("run.pickle.zst"));
        openFolder();
        QTRY_COMPARE(shownName(), QStringLiteral("run.pickle.zst"));
        QTRY_VERIFY(m_window->page().timeline().isSettled());
        QVERIFY2(m_window->errorText().isEmpty(), qPrintable(m_window->errorText()));
    }

    void theSnapshotIsShownBehindAFileThatIsCutOffOrUnreadable()
    {
        QFile sample(brokenPath(QStringLiteral("calls-os-system.pickle")));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        write(QStringLiteral("a-refused.pickle"), sample.readAll());
        addSnapshot(QStringLiteral("b-cut.pickle.zst"));
        fs::resize_file(systemPath(QStringLiteral("b-cut.pickle.zst")), 100);
        addSnapshot(QStringLiteral("run.pickle.zst"));
        openFolder();
        QTRY_COMPARE(shownName(), QStringLiteral("run.pickle.zst"));
    }

    void foldersAndLinksInAFolderDoNoHarm()
    {
        fs::create_directory(systemPath(QStringLiteral("a-folder")));
        fs::create_directory_symlink(systemPath({}), systemPath(QStringLiteral("b-itself")));
        fs::create_symlink("c-circle", systemPath(QStringLiteral("c-circle")));
        fs::create_symlink("nothing", systemPath(QStringLiteral("d-nowhere")));
        addSnapshot(QStringLiteral("run.pickle.zst"));
        fs::create_symlink("run.pickle.zst", systemPath(QStringLiteral("zz-latest")));
        openFolder();
        QTRY_COMPARE(shownName(), QStringLiteral("run.pickle.zst"));
    }

    void whereNothingIsARecordingTheWindowSaysSo_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::newRow("no file") << QStringList();
        QTest::newRow("a README") << QStringList{QStringLiteral("README.md")};
        QTest::newRow("texts") << QStringList{QStringLiteral("README.md"), QStringLiteral("a.txt")};
    }

    void whereNothingIsARecordingTheWindowSaysSo()
    {
        QFETCH(QStringList, names);
        for (const QString& name : names)
            write(name, kText);
        openFolder();
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        QVERIFY(!isOn(m_window->page()));
        // After the failure another folder can be opened.
        addSnapshot(QStringLiteral("run.pickle.zst"));
        openFolder();
        QTRY_COMPARE(shownName(), QStringLiteral("run.pickle.zst"));
        QVERIFY(m_window->errorText().isEmpty());
    }

    void whatWasOpenStaysUsableBehindAFolderOfText()
    {
        m_window->openFile(samplePath(QStringLiteral("tiny-hand-checked")));
        QTRY_COMPARE(shownName(), QStringLiteral("tiny-hand-checked.pickle.zst"));
        write(QStringLiteral("README.md"), kText);
        write(QStringLiteral("notes.txt"), kText);
        openFolder();
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        QCOMPARE(shownName(), QStringLiteral("tiny-hand-checked.pickle.zst"));
        m_window->sessions().run.showNext(1);
        m_window->openView(QStringLiteral("summary"));
        m_window->openView(QStringLiteral("timeline"));
        QTRY_VERIFY(m_window->page().timeline().isSettled());
    }

    void aLogAloneBesideAReadmeIsShown()
    {
        write(QStringLiteral("README.md"), kText);
        write(QStringLiteral("train.log"), kLog);
        openFolder();
        QTRY_VERIFY(m_window->sessions().run.shown().has_value() && m_window->pages().log.view().isVisible());
        QVERIFY(m_window->errorText().isEmpty());
    }

    void aBrokenFileIsNamedWhereNothingElseIsThere()
    {
        addSnapshot(QStringLiteral("b.pickle"));
        fs::resize_file(systemPath(QStringLiteral("b.pickle")), 20);
        write(QStringLiteral("notes.txt"), kText);
        openFolder();
        QTRY_VERIFY2(m_window->errorText().startsWith(QStringLiteral("b.pickle: ")),
            qPrintable(m_window->errorText()));
    }

    void aRunIsComparedWithAFolder()
    {
        write(QStringLiteral("README.md"), kText);
        write(QStringLiteral("a-train.log"), kLog); // displayed until the snapshot has loaded
        addSnapshot(QStringLiteral("run.pickle.zst"));
        const QString other = samplePath(QStringLiteral("r1-grpo-before"));
        m_window->compareFiles(other, m_folder->path());
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        m_window->compareFiles(m_folder->path(), other);
        QTRY_VERIFY(m_window->sessions().other.otherPath().endsWith(QStringLiteral("run.pickle.zst")));
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        QVERIFY2(m_window->errorText().isEmpty(), qPrintable(m_window->errorText()));
    }

    void twoFoldersAreComparedByTheRankThatFailed()
    {
        const QString ranks = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks");
        m_window->compareFiles(ranks, ranks);
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        QVERIFY(m_window->sessions().other.otherPath().endsWith(QStringLiteral("rank2_snapshot.pickle.zst")));
        QTRY_COMPARE(m_window->sessions().run.main().member.rank, std::int64_t{2});
    }

    void aSweepLeavesTextsOut()
    {
        write(QStringLiteral("README.md"), kText);
        addSnapshot(QStringLiteral("a.pickle.zst"));
        addSnapshot(QStringLiteral("b.pickle.zst"));
        m_window->sweepFiles({m_folder->path()});
        QTRY_VERIFY(!m_window->sessions().sweep.isLoading());
        QVERIFY(m_window->sessions().sweep.sweep());
        QCOMPARE(m_window->sessions().sweep.sweep()->rows.size(), std::size_t{2});
    }

    void aSweepOfTextsAloneShowsNoTable()
    {
        write(QStringLiteral("README.md"), kText);
        m_window->sweepFiles({m_folder->path()});
        QTRY_VERIFY(!m_window->sessions().sweep.isLoading());
        QVERIFY(!isOn(m_window->pages().table));
        QVERIFY(m_window->errorText().contains(QStringLiteral("no recording")));
    }

    void thePictureOfNothingIsTakenToo_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("opened") << QStringList();
        QTest::newRow("as a table") << QStringList{QStringLiteral("--compare")};
    }

    void thePictureOfNothingIsTakenToo()
    {
        QFETCH(QStringList, options);
        const QTemporaryDir empty;
        const QString picture = path(QStringLiteral("window.png"));
        QProcess program;
        program.start(QStringLiteral(HIGHWATER_GUI),
            QStringList{QStringLiteral("--screenshot"), picture} + options + QStringList{empty.path()});
        QVERIFY2(program.waitForFinished(60'000), "it waits for ever");
        QCOMPARE(program.exitCode(), 3);
        QVERIFY(program.readAllStandardError().contains("this folder"));
        QVERIFY(QFile::exists(picture));
    }

    void aLimitBelowWhatReadingNeedsIsSaid()
    {
        const QString run = path(QStringLiteral("run.pickle.zst"));
        addSnapshot(QStringLiteral("run.pickle.zst"));
        QProcess program;
        program.start(QStringLiteral(HIGHWATER_GUI),
            {QStringLiteral("--max-memory"), QStringLiteral("1KiB"), QStringLiteral("--screenshot"),
                path(QStringLiteral("window.png")), run});
        QVERIFY2(program.waitForFinished(60'000), "it waits for ever");
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 3);
        QVERIFY(program.readAllStandardError().contains("--max-memory"));
    }

    void aDroppedFileThatVanishesIsSaid()
    {
        addSnapshot(QStringLiteral("run.pickle.zst"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path(QStringLiteral("run.pickle.zst")))});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(QFile::remove(path(QStringLiteral("run.pickle.zst"))));
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(m_window->errorText().contains(QStringLiteral("cannot be opened")));
        QVERIFY(!isOn(m_window->page()));
    }
};

HIGHWATER_APP_TEST(RunFolderTest)

} // namespace highwater::gui::test

#include "run_folder_test.moc"
