#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/loading/files/trace_cache.h"
#include "app/workspace/document/document.h"
#include "app/workspace/document/run_session.h"
#include "core/trace/trace_builder.h"
#include "importers/registry/open_trace.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

using State = RunFile::State;

constexpr int kRanks = 4;

QString rankPath(int rank)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks/rank%1_snapshot.pickle.zst").arg(rank);
}

QString ranksFolder()
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks");
}

void writeFile(const QTemporaryDir& folder, const char* name, const QByteArray& text)
{
    QFile file(folder.filePath(QString::fromLatin1(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

void copySample(const QTemporaryDir& folder, const char* name)
{
    QVERIFY(QFile::copy(samplePath("tiny-hand-checked"), folder.filePath(QString::fromLatin1(name))));
}

const QByteArray kText = "A run of Tuesday.\n";
const QByteArray kLog
    = "[titan] 2026-09-21 13:33:20,774 - root - INFO - step:  1  loss:  4.6  memory:  0.19GiB(0.41%)\n"
      "[titan] 2026-09-21 13:33:21,774 - root - INFO - step:  2  loss:  4.5  memory:  0.19GiB(0.41%)\n";

} // namespace

class RunLoaderTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<DocumentLoader> m_loader;
    std::unique_ptr<RunSession> m_session;

    RunLoader& run() { return m_session->run(); }
    State state(std::size_t file) { return run().files()[file].state; }
    void openAll()
    {
        m_session->open({ranksFolder()});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
    }
    int count(State wanted)
    {
        return static_cast<int>(std::count_if(run().files().begin(), run().files().end(),
            [wanted](const RunFile& file) { return file.state == wanted; }));
    }

private slots:
    void init()
    {
        m_loader = std::make_unique<DocumentLoader>();
        m_session = std::make_unique<RunSession>(*m_loader);
    }
    void cleanup()
    {
        m_session.reset();
        m_loader.reset();
    }

    /// The message bar says "trace.json has no GPU memory data".
    void aFileWithoutMemoryIsRefusedInAPredicate()
    {
        ImportedTrace imported;
        imported.trace = TraceBuilder().finish();
        const std::optional<Error> reason
            = reasonNotToShow(*buildDocument("trace.json", std::move(imported)));
        QVERIFY(reason);
        QVERIFY(reason->message.starts_with("has no GPU memory data"));
    }

    void aFolderShowsItsFirstRankAtOnceAndThenTheOneThatRanOut()
    {
        QSignalSpy ready(m_session.get(), &RunSession::documentReady);
        openAll();
        QCOMPARE(ready.size(), 2);
        const auto shown
            = [&](int at) { return ready.at(at).at(0).value<std::shared_ptr<const Document>>()->fileName(); };
        QVERIFY(shown(0).starts_with("rank0"));
        QVERIFY(shown(1).starts_with("rank2"));
        QVERIFY(ready.at(1).at(1).toBool()); // belongs to the same run
        QCOMPARE(*m_session->shown(), std::size_t{2});
        QCOMPARE(run().fileCount(), std::size_t{kRanks});
        QCOMPARE(run().knownCount(), std::size_t{kRanks});
        QCOMPARE(count(State::Loaded), kRanks);
        QVERIFY(run().ranks()->table.rows[2].isOutlier);
        QVERIFY(!run().ranks()->table.rows[1].isOutlier);
    }

    void otherFilesOfARunAreReadFromTheCache()
    {
        const QTemporaryDir folder;
        const QString first = folder.filePath(QStringLiteral("rank0.pickle"));
        const QString second = folder.filePath(QStringLiteral("rank1.pickle"));
        const QString tiny = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/encodings/tiny-protocol-4.pickle");
        QVERIFY(QFile::copy(tiny, first) && QFile::copy(tiny, second));
        QVERIFY(QFile::resize(second, TraceCache::kMinFileBytes)); // bytes after a pickle's end are not read
        const TraceCache cache(folder.filePath(QStringLiteral("cache")).toStdString());
        ImportedTrace other = *openTrace(rankPath(0).toStdString(), {}); // stands for what is in the cache
        other.file = identityAt(second.toStdString());
        other.fileIsSettled = true;
        cache.store(second.toStdString(), other);
        run().setCache(cache);
        m_session->open({first, second});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QCOMPARE(state(1), State::Loaded);
        QCOMPARE(run().files()[1].document->trace().events.rows(), other.trace->events.rows());
    }

    void whatTheUserHasChosenStaysOnScreen()
    {
        connect(m_session.get(), &RunSession::documentReady, m_session.get(), [this] {
            QMetaObject::invokeMethod(
                m_session.get(), [this] { m_session->show(1); }, Qt::QueuedConnection);
        });
        openAll();
        QTRY_COMPARE(*m_session->shown(), std::size_t{1});
        QCOMPARE(run().ranks()->main, std::size_t{2});
    }

    void ranksWithoutTroubleStayAtTheFirst()
    {
        m_session->open({rankPath(0), rankPath(1), rankPath(3)});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QCOMPARE(*m_session->shown(), std::size_t{0});
    }

    void aLoadedRankIsShownAtOnce()
    {
        openAll();
        QSignalSpy ready(m_session.get(), &RunSession::documentReady);
        m_session->show(1);
        QCOMPARE(ready.size(), 1);
        QVERIFY(ready.at(0).at(1).toBool()); // belongs to the same run
        QCOMPARE(*m_session->shown(), std::size_t{1});
        m_session->showNext(1);
        QVERIFY(!m_loader->isLoading());
        m_session->showNext(1);
        QCOMPARE(*m_session->shown(), std::size_t{3});
        QVERIFY(!m_session->hasNext(1));
        m_session->showNext(1);
        QCOMPARE(*m_session->shown(), std::size_t{3});
    }

    void aRankThatIsNotLoadedYetIsShownWhenItIs()
    {
        m_session->open({ranksFolder()});
        m_session->show(3);
        QTRY_VERIFY(m_session->shown().has_value());
        QCOMPARE(*m_session->shown(), std::size_t{3});
        QTRY_VERIFY(!run().isLoading());
        QCOMPARE(count(State::Loaded), kRanks);
    }

    void brokenRanksAreListedAndDoNotStopTheOthers()
    {
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        m_session->open({brokenPath("calls-os-system.pickle"), rankPath(1), rankPath(2),
            QStringLiteral("no-such-file-rank0.pickle")});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QCOMPARE(*m_session->shown(), std::size_t{2}); // this rank ran out of memory; rank 0 is missing
        QCOMPARE(count(State::Failed), 2);
        QCOMPARE(count(State::Loaded), 2);
        QVERIFY(state(0) == State::Failed);
        QVERIFY(!run().files()[0].figures->error.empty());
        QCOMPARE(failed.size(), 0);
        m_session->show(0);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(*m_session->shown(), std::size_t{2});
    }

    void whereNoneCanBeReadTheReasonIsSaid()
    {
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        m_session->open({brokenPath("empty.pickle"), brokenPath("calls-os-system.pickle")});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!m_session->shown());
    }

    void aBrokenFileLeavesTheRunOpen()
    {
        openAll();
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        m_session->open({brokenPath("empty.pickle")});
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(run().fileCount(), std::size_t{kRanks});
        QCOMPARE(*m_session->shown(), std::size_t{2});
        m_session->show(1);
        QCOMPARE(*m_session->shown(), std::size_t{1});
    }

    void anotherFileTakesThePlaceOfTheRun()
    {
        openAll();
        QSignalSpy ready(m_session.get(), &RunSession::documentReady);
        m_session->open({samplePath("tiny-hand-checked")});
        QTRY_COMPARE(ready.size(), 1);
        QVERIFY(!ready.at(0).at(1).toBool());
        QVERIFY(!m_session->hasSeveralFiles());
    }

    void aFolderWithoutFilesIsRefused()
    {
        const QTemporaryDir folder;
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        m_session->open({folder.path()});
        QCOMPARE(failed.size(), 1);
    }

    void whatIsNoInputIsPassedOverInAFolder()
    {
        const QTemporaryDir folder;
        QFile notes(folder.filePath("a-first.txt"));
        QVERIFY(notes.open(QIODevice::WriteOnly));
        notes.write(QByteArray(64, '\x01'));
        notes.close();
        QVERIFY(QFile::copy(samplePath("tiny-hand-checked"), folder.filePath("b.pickle.zst")));
        m_session->open({folder.path()});
        QTRY_VERIFY(m_session->shown().has_value());
        QCOMPARE(run().fileCount(), std::size_t{1});
        QVERIFY(state(0) == State::NoInput);
    }

    void textWithoutFiguresIsPassedOverInAFolder_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("shown first") << "README.md";
        QTest::newRow("read in the background") << "z-notes.txt";
    }

    void textWithoutFiguresIsPassedOverInAFolder()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        writeFile(folder, name.toLatin1().constData(), kText);
        copySample(folder, "b.pickle.zst");
        QSignalSpy ready(m_session.get(), &RunSession::documentReady);
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        m_session->open({folder.path()});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QCOMPARE(ready.size(), 1);
        QVERIFY(ready.at(0).at(0).value<std::shared_ptr<const Document>>() != nullptr);
        QCOMPARE(failed.size(), 0);
        QCOMPARE(run().fileCount(), std::size_t{1});
        QCOMPARE(count(State::NoInput), 1);
        QVERIFY(!m_session->hasSeveralFiles());
    }

    void textWithoutFiguresIsPassedOverAlsoWhereNothingIsKept()
    {
        const QTemporaryDir folder;
        copySample(folder, "b.pickle.zst");
        writeFile(folder, "z-notes.txt", kText);
        run().setMemoryLimit(1 << 20);
        m_session->open({folder.path()});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QCOMPARE(count(State::NoInput), 1);
    }

    void allocationsAreShownAlsoBehindTextAndLogs()
    {
        const QTemporaryDir folder;
        writeFile(folder, "README.md", kText);
        writeFile(folder, "a-train.log", kLog);
        copySample(folder, "b.pickle.zst");
        m_session->open({folder.path()});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QTRY_COMPARE(*m_session->shown(), *run().indexOf(folder.filePath("b.pickle.zst").toStdString()));
        QCOMPARE(run().fileCount(), std::size_t{2});
        QCOMPARE(m_session->auxiliaryFiles().size(), std::size_t{1});
    }

    void aFolderOfTextAloneSaysSo()
    {
        openAll();
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        QSignalSpy ready(m_session.get(), &RunSession::documentReady);
        const QTemporaryDir one;
        writeFile(one, "README.md", kText);
        m_session->open({one.path()});
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(*m_session->shown(), std::size_t{2}); // the previous run stays open
        writeFile(one, "config.yaml", kText);
        m_session->open({one.path()});
        QTRY_COMPARE(failed.size(), 2);
        QVERIFY(!m_session->shown());
        QCOMPARE(ready.size(), 0);
    }

    void anotherRankIsShownWhereTheChosenOneCannotBeRead()
    {
        QSignalSpy failed(m_session.get(), &RunSession::failed);
        m_session->open({rankPath(0), rankPath(1), QStringLiteral("no-such-file-rank7.pickle")});
        m_session->show(2); // nothing is displayed yet
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QCOMPARE(*m_session->shown(), std::size_t{0});
        QCOMPARE(count(State::Loaded), 2);
        QVERIFY(state(2) == State::Failed);
    }

    void ranksThatAloneExceedTheLimitSaySo()
    {
        run().setMemoryLimit(1);
        openAll();
        QVERIFY(state(0) == State::Loaded); // the displayed rank stays loaded
        QCOMPARE(count(State::Failed), kRanks - 1);
        QVERIFY(run().files()[1].figures->error.find("memory") != std::string::npos);
    }

    void ranksThatDoNotFitAreGivenUpAndLoadedAgainWhenChosen()
    {
        openAll();
        const std::uint64_t oneRank = run().files()[0].memoryBytes;
        init();
        run().setMemoryLimit(oneRank * 5 / 2);
        openAll();
        // The rank that ran out of memory may have been unloaded meanwhile; it is then loaded again in order
        // to be shown.
        QTRY_COMPARE(count(State::Loading), 0);
        QCOMPARE(count(State::Loaded), 2);
        QCOMPARE(count(State::FiguresOnly), 2);
        QCOMPARE(run().knownCount(), std::size_t{kRanks});
        QVERIFY(run().ranks()->table.rows[2].isOutlier);
        QSignalSpy ready(m_session.get(), &RunSession::documentReady);
        m_session->show(3);
        QCOMPARE(ready.size(), 0);
        QTRY_COMPARE(ready.size(), 1);
        QVERIFY(state(3) == State::Loaded);
        QVERIFY(run().files()[3].document != nullptr);
        QCOMPARE(count(State::Loaded), 2); // another rank was unloaded for it
    }

    void aLogOfWhichOnlyFiguresAreKeptIsNoRank()
    {
        const QTemporaryDir folder;
        QVERIFY(QFile::copy(samplePath("r1-grpo-before"), folder.filePath("a.pickle.zst")));
        writeFile(folder, "z-train.log", kLog + QByteArray("no figures\n").repeated(700'000));
        run().setMemoryLimit(16 << 20); // enough to read the log, but not to keep what it may take
        m_session->open({folder.path()});
        QTRY_VERIFY(m_session->shown().has_value() && !run().isLoading());
        QVERIFY(state(1) == State::FiguresOnly);
        QCOMPARE(run().rankCount(), std::size_t{1});
    }

    void readingSummariesCanBeCancelledAndTakenUpAgain()
    {
        const QTemporaryDir folder;
        const QString first = folder.filePath("rank0.hws");
        QCOMPARE(QProcess::execute(
                     QStringLiteral(HIGHWATER_CLI), {QStringLiteral("summarize"), rankPath(0), "-o", first}),
            0);
        for (int i = 1; i < 300; ++i)
            QVERIFY(QFile::copy(first, folder.filePath(QStringLiteral("rank%1.hws").arg(i))));
        QObject::connect(&run(), &RunLoader::counted, &run(), &RunLoader::cancel);
        QSignalSpy finished(&run(), &RunLoader::finished);
        m_session->open({folder.path()});
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(!run().isLoading());
        QVERIFY(run().knownCount() > 0);
        QTRY_VERIFY(run().ranks());
        QObject::disconnect(&run(), &RunLoader::counted, &run(), &RunLoader::cancel);
        run().loadRest();
        QTRY_COMPARE(run().knownCount(), std::size_t{300});
        QTRY_VERIFY(!run().isLoading());
        QCOMPARE(run().ranks()->ranks.size(), std::size_t{1}); // all files have the same rank
        QCOMPARE(run().ranks()->troubles.size(), std::size_t{299});
    }

    void loadingTheOthersCanBeCancelled()
    {
        QObject::connect(m_session.get(), &RunSession::documentReady, m_session.get(), [this] {
            QMetaObject::invokeMethod(
                &run(), [this] { run().cancel(); }, Qt::QueuedConnection);
        });
        QSignalSpy finished(&run(), &RunLoader::finished);
        m_session->open({ranksFolder(), samplePath("r1-grpo-before"), samplePath("r1-grpo-after")});
        QTRY_VERIFY(m_session->shown().has_value());
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(!run().isLoading());
        QTRY_COMPARE(count(State::Loading), 0);
        QVERIFY(count(State::Waiting) > 0);
        const auto waiting = std::find_if(run().files().begin(), run().files().end(),
            [](const RunFile& file) { return file.state == State::Waiting; });
        const auto file = static_cast<std::size_t>(waiting - run().files().begin());
        m_session->show(file);
        QTRY_COMPARE(*m_session->shown(), file);
    }
};

HIGHWATER_APP_TEST(RunLoaderTest)

} // namespace highwater::gui::test

#include "run_loader_test.moc"
