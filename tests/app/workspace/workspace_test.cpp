#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "app/workspace/document/document_loader.h"
#include "app/workspace/document/recent_files.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/visible_range.h"
#include "core/analysis/composition/site_totals.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class WorkspaceTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { useScratchSettings(); }

    void zoomingKeepsThePlaceUnderTheCursor()
    {
        VisibleRange range;
        range.setLimits(0, 1000, 4, 10);
        range.zoomX(300, 0.5);
        QCOMPARE(range.x().width(), 500.0);
        QCOMPARE((300 - range.x().begin) / range.x().width(), 0.3);
        range.zoomX(420, 0.5);
        QVERIFY(qAbs((420 - range.x().begin) / range.x().width() - (420 - 150) / 500.0) < 1e-12);
    }

    void zoomingStopsAtTheNarrowestAndAtTheWhole()
    {
        VisibleRange range;
        range.setLimits(-1, 1000, 4, 10);
        for (int i = 0; i < 50; ++i)
            range.zoomX(999, 0.5);
        QCOMPARE(range.x().width(), 4.0);
        QVERIFY(range.x().end <= 1000);
        for (int i = 0; i < 50; ++i)
            range.zoomX(500, 2);
        QVERIFY(range.isFit());
    }

    void panningStopsAtTheEdgesAndKeepsTheWidth()
    {
        VisibleRange range;
        range.setLimits(0, 1000, 4, 10);
        range.setX(400, 500);
        range.pan(10000, 0);
        QCOMPARE(range.x().begin, 900.0);
        QCOMPARE(range.x().end, 1000.0);
        range.pan(-10000, 0);
        QCOMPARE(range.x().begin, 0.0);
        QCOMPARE(range.x().end, 100.0);
    }

    void nothingIsSaidWhenTheViewStays()
    {
        VisibleRange range;
        range.setLimits(0, 1000, 4, 10);
        QSignalSpy changed(&range, &VisibleRange::changed);
        range.fit();
        QCOMPARE(changed.count(), 0);
        range.setX(1, 2);
        QCOMPARE(changed.count(), 1);
    }

    void ofWorkThatIsOvertakenOnlyTheNewestRuns()
    {
        LatestTask task;
        QSemaphore gate;
        std::vector<int> ran;
        std::vector<int> delivered;
        const auto work = [&](int number) {
            return [&, number]() -> LatestTask::Delivery {
                gate.acquire();
                ran.push_back(number);
                return [&delivered, number] { delivered.push_back(number); };
            };
        };
        task.run(work(1));
        task.run(work(2));
        task.run(work(3));
        gate.release(3);
        QTRY_VERIFY(!task.isBusy());
        QCOMPARE(ran, (std::vector<int>{1, 3}));
        QCOMPARE(delivered, (std::vector<int>{1, 3}));
    }

    void aDroppedAnswerNeverComes()
    {
        LatestTask task;
        QSemaphore gate;
        std::vector<int> delivered;
        const auto work = [&](int number) {
            return [&, number]() -> LatestTask::Delivery {
                gate.acquire();
                return [&delivered, number] { delivered.push_back(number); };
            };
        };
        task.run(work(1));
        task.run(work(2));
        task.drop();
        task.run(work(3));
        gate.release(3);
        QTRY_VERIFY(!task.isBusy());
        QCOMPARE(delivered, std::vector<int>{3});
    }

    void aFileIsLoadedWithItsAnalyses()
    {
        DocumentLoader loader;
        std::shared_ptr<const Document> got;
        connect(&loader, &DocumentLoader::loaded, this,
            [&](const std::shared_ptr<const Document>& document) { got = document; });
        loader.open(samplePath("tiny-hand-checked"));
        QVERIFY(loader.isLoading());
        QTRY_VERIFY(got != nullptr);
        QVERIFY(!loader.isLoading());
        QCOMPARE(got->devices.size(), std::size_t{1});
        QCOMPARE(got->devices[0]->figures.peakBytes, Bytes{23069672});
        QCOMPARE(got->devices[0]->curve.peak().bytes, Bytes{23069672});
    }

    void aBrokenFileFailsWithOneSentenceAndItsPlace()
    {
        DocumentLoader loader;
        QSignalSpy failed(&loader, &DocumentLoader::failed);
        loader.open(brokenPath("calls-os-system.pickle"));
        QVERIFY(failed.wait());
        const QString sentence = failed.at(0).at(1).toString();
        QVERIFY2(sentence.contains("refused") && sentence.contains("at byte"), qPrintable(sentence));
        QVERIFY(!sentence.contains('\n'));
    }

    void aFileThatIsNotThereFails()
    {
        DocumentLoader loader;
        QSignalSpy failed(&loader, &DocumentLoader::failed);
        loader.open(brokenPath("no-such-file.pickle"));
        QVERIFY(failed.wait());
    }

    void ofTwoRequestsOnlyTheNewerAnswers()
    {
        DocumentLoader loader;
        QSignalSpy loaded(&loader, &DocumentLoader::loaded);
        QSignalSpy failed(&loader, &DocumentLoader::failed);
        QSignalSpy cancelled(&loader, &DocumentLoader::cancelled);
        std::string path;
        connect(&loader, &DocumentLoader::loaded, this,
            [&](const std::shared_ptr<const Document>& document) { path = document->path; });
        loader.open(samplePath("r1-grpo-after"));
        loader.open(samplePath("tiny-hand-checked"));
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(QString::fromStdString(path), samplePath("tiny-hand-checked"));
        // The older load was stopped: nothing of it may arrive after the pool is idle.
        DocumentLoader other;
        QSignalSpy otherLoaded(&other, &DocumentLoader::loaded);
        other.open(samplePath("r1-grpo-after"));
        QTRY_COMPARE(otherLoaded.count(), 1);
        QCOMPARE(loaded.count() + failed.count() + cancelled.count(), 1);
    }

    void cancellingAnswersAtOnceAndOnce()
    {
        DocumentLoader loader;
        QSignalSpy loaded(&loader, &DocumentLoader::loaded);
        QSignalSpy cancelled(&loader, &DocumentLoader::cancelled);
        loader.open(samplePath("r1-grpo-after"));
        loader.cancel();
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!loader.isLoading());
        loader.open(samplePath("tiny-hand-checked"));
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(cancelled.count(), 1);
    }

    void recentFilesAreRememberedNewestFirstAndOnce()
    {
        {
            RecentFiles recent(true);
            recent.add("/a/one");
            recent.add("/a/two");
            recent.add("/a/one");
        }
        QCOMPARE(RecentFiles(true).paths(), (QStringList{"/a/one", "/a/two"}));
    }

    void withoutRememberingNoSettingIsWritten()
    {
        QSettings().clear();
        RecentFiles recent(false);
        recent.add("/a/one");
        QVERIFY(QSettings().allKeys().isEmpty());
        QCOMPARE(recent.paths().size(), 1);
    }

    void aPinOutlivesHovering()
    {
        Selection selection;
        selection.hover(1);
        QCOMPARE(selection.shown(), AllocationIndex{1});
        selection.pin(1);
        selection.hover(2);
        QCOMPARE(selection.shown(), AllocationIndex{1});
        selection.release();
        QCOMPARE(selection.shown(), AllocationIndex{2});
    }

    void theInnermostIsReleasedFirst()
    {
        using Kind = Selection::Kind;
        Selection selection;
        selection.selectStep(3, 70, {60, 90});
        selection.setHighlight({std::make_shared<const std::vector<bool>>(2, true), {}});
        selection.pin(1);
        selection.releaseInnermost();
        QVERIFY(!selection.isPinned() && selection.kind() == Kind::Highlight);
        selection.releaseInnermost();
        QVERIFY(!selection.highlight().members && selection.kind() == Kind::Step);
        selection.releaseInnermost();
        QVERIFY(!selection.step() && !selection.range() && !selection.cursor());
        QCOMPARE(selection.kind(), Kind::Nothing);
    }

    void aPinIsReleasedBeforeANewerMoment()
    {
        Selection selection;
        selection.pin(1);
        selection.setCursor(7);
        selection.releaseInnermost();
        QVERIFY(!selection.isPinned());
        QCOMPARE(selection.cursor(), std::optional<std::int64_t>(7));
    }

    void pointingAndPinningLeaveTheCursor()
    {
        Selection selection;
        selection.setCursor(7);
        selection.setPointed(9);
        selection.pin(1);
        QCOMPARE(*selection.cursor(), std::int64_t{7});
        QCOMPARE(*selection.pointedOrCursor(), std::int64_t{9});
        selection.setPointed(std::nullopt);
        QCOMPARE(*selection.pointedOrCursor(), std::int64_t{7});
    }

    void siteTotalsSumToTheCurveAtEveryEvent()
    {
        const auto analysis = mainAnalysis("two-streams-record-stream");
        for (std::int64_t event = -1; event < analysis->allocations.eventCount(); event += 7) {
            Bytes sum = 0;
            for (const SiteTotal& total : siteTotalsAt(analysis->live, analysis->sites, event))
                sum += total.bytes;
            QCOMPARE(sum, analysis->curve.at(event));
        }
    }
};

HIGHWATER_APP_TEST(WorkspaceTest)

} // namespace highwater::gui::test

#include "workspace_test.moc"
