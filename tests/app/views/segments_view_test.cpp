#include <set>

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/views/segments/address_map_view.h"
#include "app/views/segments/replay_panel.h"
#include "app/views/segments/segments_view.h"
#include "core/table/segment_tables.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/views/shown_segments.h"

namespace highwater::gui::test {

class SegmentsViewTest : public QObject
{
    Q_OBJECT

private slots:
    void opensAtTheOutOfMemoryEventWithTheVerdict()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        QCOMPARE(shown.view.moment()->state.event, 139);
        QVERIFY(textIn(shown.view)
                    .contains(QLatin1String("900 MiB requested, and PyTorch's cache is fragmented")));
        QVERIFY(textIn(shown.view).contains(QLatin1String("After event 139, out of memory")));
    }

    void theVerdictIsShortAndItsToolTipHasTheRest()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        const auto* verdict = shown.view.findChild<QLabel*>(QStringLiteral("segmentsVerdict"));
        QTRY_COMPARE(verdict->text(),
            QStringLiteral("48 MiB requested on a full GPU; none of 8 allocator settings helps"));
        QVERIFY(verdict->toolTip().contains(QStringLiteral("tried: ")));
        QVERIFY(verdict->toolTip().contains(QStringLiteral("max_split_size_mb:64")));
    }

    void theSentencesWrapInPlaceOfBeingCut()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        for (const char* name :
            {"segmentsComposition", "segmentsVerdict", "segmentsObstacle", "segmentsRemarks"})
            QVERIFY2(shown.view.findChild<QLabel*>(QLatin1String(name))->wordWrap(), name);
    }

    void theLimitInALogExplainsTheFailure()
    {
        ShownSegments shown(QStringLiteral("../failures/process-cap"));
        QVERIFY(textIn(shown.view).contains(QLatin1String("perhaps above a limit")));
        shown.view.setProcessLimit(11 * kGiB);
        shown.settle();
        QVERIFY(textIn(shown.view).contains(QLatin1String("the process was limited to 11 GiB")));
    }

    void opensAtThePeakOfARunThatDidNotFail()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        QCOMPARE(shown.view.moment()->state.event, 10);
        QVERIFY(textIn(shown.view).contains(QLatin1String("the peak")));
    }

    void followsTheCursor()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        shown.moveTo(20);
        QCOMPARE(shown.view.moment()->state.pendingBytes, 1024);
        QVERIFY(textIn(shown.view).contains(QLatin1String("1 KiB of it freed")));
    }

    void doesNothingWhileHiddenAndCatchesUpWhenShown()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        shown.view.hide();
        shown.selection.setCursor(3);
        QTest::qWait(1);
        QCOMPARE(shown.view.moment()->state.event, 10);
        shown.view.show();
        QTRY_COMPARE(shown.view.moment()->state.event, 3);
    }

    void aClickPinsTheBlockAndKeepsTheMoment()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        const AllocationIndex largest = shown.analysis->allocations.ofEvent(6);
        QTest::mouseClick(shown.view.map().viewport(), Qt::LeftButton, {}, shown.pointOf(largest));
        QCOMPARE(shown.selection.pinned(), largest);
        QVERIFY(!shown.selection.cursor());
        QCOMPARE(shown.view.moment()->state.event, 10);
    }

    void pointingAtACaptionTellsTheWholeOfIt()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        shown.view.resize(1400, 1000); // large enough to give each segment a row
        const AddressMapView& map = shown.view.map();
        QStringList told;
        for (int y = 0; y < map.viewport()->height(); ++y)
            told << map.tipAt({map.viewport()->width() - 2, y});
        QVERIFY(told.join('\n').contains(QLatin1String("166 MiB free")));
    }

    void aDoubleClickAsksForTheAllocationInTheTimeline()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        const AllocationIndex largest = shown.analysis->allocations.ofEvent(6);
        QSignalSpy asked(&shown.view, &AnalysisPanel::allocationRequested);
        QTest::mouseDClick(shown.view.map().viewport(), Qt::LeftButton, {}, shown.pointOf(largest));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toUInt(), largest);
    }

    void pointingAtABlockSaysWhatItIs()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        const AllocationIndex largest = shown.analysis->allocations.ofEvent(6);
        const QPoint at = shown.pointOf(largest);
        const QString tip = shown.view.map().tipAt(at);
        QVERIFY2(tip.contains(QLatin1String("Block of 12 MiB (12,582,912 B)")), qPrintable(tip));
        QVERIFY2(tip.contains(QLatin1String("allocated at event 6, 4 events")), qPrintable(tip));
        QWidget* const viewport = shown.view.map().viewport();
        QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(at), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(viewport, &move);
        QCOMPARE(shown.selection.hovered(), largest);
    }

    void choosingWhatPinsShowsItsSegmentAndItsOldestBlock()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        shown.moveTo(14);
        QTableView& table = shown.view.partlyFreeTableView();
        QCOMPARE(table.model()->rowCount(), 3);
        table.setCurrentIndex(table.model()->index(0, 0));
        QCOMPARE(shown.selection.pinned(), shown.analysis->allocations.ofEvent(1));
        QCOMPARE(shown.view.moment()->state.event, 14);
    }

    void choosingAHoleShowsItsSegmentAndTheBlockThatPinsIt()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        QTableView& table = shown.view.freeBlockTableView();
        QCOMPARE(table.model()->rowCount(), 20);
        QCOMPARE(table.model()->index(0, 0).data().toString(), QStringLiteral("166 MiB"));
        table.setCurrentIndex(table.model()->index(0, 0));
        QVERIFY(shown.selection.pinned() != Selection::kNone);
        QVERIFY(shown.analysis->allocations.isLiveAt(shown.selection.pinned(), 139));
    }

    void whereMemoryRanOutTheRequestStandsAboveTheMap()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        QVERIFY(shown.view.map().request().height > 0);
        QVERIFY(shown.view.map().request().requestEnd > 300);
        shown.moveTo(100);
        QCOMPARE(shown.view.map().request().requestEnd, 0.0);
    }

    void aBlockIsFoundBelowTheRequestToo()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        const AllocationIndex first = shown.view.moment()->state.blocks.front().allocation;
        QTest::mouseClick(shown.view.map().viewport(), Qt::LeftButton, {}, shown.pointOf(first));
        QCOMPARE(shown.selection.pinned(), first);
    }

    void theHeadingSaysWhatTheEventDid()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        shown.moveTo(6);
        QVERIFY(
            textIn(shown.view).contains(QLatin1String("After event 6: allocated 12 MiB, step (tiny.py:9)")));
    }

    void movingTheCursorChangesTheMap()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        const std::size_t before = shown.view.map().map().cells.size();
        shown.moveTo(4);
        QVERIFY(shown.view.map().map().cells.size() != before);
        QVERIFY(!shown.view.map().changeMarks().empty());
    }

    void theArrowsWalkTheEventsWhileTheMapHasTheFocus()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        QTest::keyClick(&shown.view.map(), Qt::Key_Left);
        QCOMPARE(shown.selection.cursor(), std::optional<std::int64_t>(9));
        QTest::keyClick(&shown.view.map(), Qt::Key_Left);
        QTest::keyClick(&shown.view.map(), Qt::Key_Right);
        QTRY_VERIFY(shown.view.isSettled());
        QCOMPARE(shown.view.moment()->state.event, 9);
    }

    void shiftAndAnArrowWalkAStep()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        const auto& steps = shown.analysis->steps.steps;
        shown.moveTo(steps[3].peakEvent);
        QTest::keyClick(&shown.view.map(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(shown.selection.cursor(), std::optional(steps[4].peakEvent));
        QTest::keyClick(&shown.view.map(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(shown.selection.cursor(), std::optional(steps[3].peakEvent));
    }

    void walkingKeepsThePinnedAllocation()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        const AllocationIndex largest = shown.analysis->allocations.ofEvent(6);
        QTest::mouseClick(shown.view.map().viewport(), Qt::LeftButton, {}, shown.pointOf(largest));
        QTest::keyClick(&shown.view.map(), Qt::Key_Left);
        QCOMPARE(shown.selection.pinned(), largest);
        QCOMPARE(shown.selection.cursor(), std::optional<std::int64_t>(9));
    }

    void theFailedRequestIsAGhostInTheMapAtEveryMoment()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        QVERIFY(!shown.view.map().ghost().empty());
        QTest::keyClick(&shown.view.map(), Qt::Key_Left);
        QTRY_VERIFY(shown.view.isSettled() && shown.view.moment()->state.event == 138);
        QVERIFY(!shown.view.map().ghost().empty());
    }

    void aRunThatDidNotFailHasNoGhost()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        QVERIFY(shown.view.map().ghost().empty());
    }

    void theScaleStaysWhileTheCursorMoves()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        QTRY_VERIFY(shown.view.replays().isSettled()); // nothing would help: the map has the whole width
        shown.settle();
        QTRY_VERIFY(shown.view.map().viewport()->width() > shown.view.width() * 3 / 4);
        const double scale = shown.view.map().map().bytesPerPixel;
        shown.moveTo(6460);
        QCOMPARE(shown.view.map().map().bytesPerPixel, scale);
    }

    void saysWhichSettingsWouldHaveHelpedAndCopiesThem()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        auto* tabs = shown.view.findChild<QTabWidget*>();
        tabs->setCurrentWidget(&shown.view.replays());
        QTRY_VERIFY(shown.view.replays().isSettled() && shown.view.replays().table().isVisible());
        QAbstractItemModel& rows = *shown.view.replays().table().model();
        QCOMPARE(rows.index(0, 0).data().toString(), QStringLiteral("as recorded"));
        QCOMPARE(rows.index(1, 0).data().toString(), QStringLiteral("expandable_segments:True"));
        QCOMPARE(rows.index(1, 1).data().toString(), QStringLiteral("yes"));
        QCOMPARE(rows.index(1, 2).data().toString(), QStringLiteral("1.98 GiB"));
        const QModelIndex others = rows.index(rows.rowCount() - 1, 0);
        QCOMPARE(others.data().toString(), QStringLiteral("4 other settings do not help"));
        QCOMPARE(shown.view.replays().table().currentIndex().row(), 1);
        auto* copy = shown.view.replays().findChild<QPushButton*>();
        shown.view.replays().table().setCurrentIndex(others);
        QVERIFY(!copy->isEnabled());
        shown.view.replays().table().setCurrentIndex(rows.index(1, 0));
        QVERIFY(copy->isEnabled());
        shown.view.replays().copyConfiguration();
        QCOMPARE(QGuiApplication::clipboard()->text(),
            QStringLiteral("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"));
    }

    void withoutAdviceASentenceSaysSoInPlaceOfATable()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        shown.view.findChild<QTabWidget*>()->setCurrentWidget(&shown.view.replays());
        QTRY_VERIFY(shown.view.replays().isSettled());
        const auto* sentence = shown.view.replays().findChild<QLabel*>();
        QTRY_VERIFY(
            sentence->text().startsWith(QLatin1String("None of 8 allocator settings helps; tried: ")));
        QVERIFY(!shown.view.replays().table().isVisible());
    }

    void withoutAdviceTheMapHasTheWidthUntilTheTablesAreAskedFor()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        auto* tabs = shown.view.findChild<QTabWidget*>();
        auto* button = shown.view.findChild<QToolButton*>(QStringLiteral("segmentTables"));
        QTRY_VERIFY(!tabs->isVisible() && !button->isChecked());
        const auto* verdict = shown.view.findChild<QLabel*>(QStringLiteral("segmentsVerdict"));
        QVERIFY2(verdict->text().contains(QStringLiteral("none of 8 allocator settings")),
            qPrintable(verdict->text()));
        QTRY_VERIFY(shown.view.map().width() > 1100);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(tabs->isVisible());
    }

    void aWideMapHasTheAddressesOfTheRowsOfALongSegment()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        AddressMapView& map = shown.view.map();
        QTRY_VERIFY(map.width() > 1100 && map.gutter() > 0);
        QVERIFY(!map.blockAt({map.gutter() / 2, map.viewport()->height() - 10}));
        AddressMapView narrow;
        narrow.resize(400, 400);
        narrow.setVisible(true);
        narrow.show(shown.analysis, shown.view.moment());
        QCOMPARE(narrow.gutter(), 0);
    }

    void withAdviceTheTablesAreShown()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        QTRY_VERIFY(shown.view.replays().isSettled() && shown.view.replays().table().isVisible());
        QVERIFY(shown.view.findChild<QToolButton*>(QStringLiteral("segmentTables"))->isChecked());
    }

    void theOrderIsThatOfTheChooser()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        QCOMPARE(shown.view.map().map().headings.size(), 2u);
        shown.view.findChild<QComboBox*>("segmentOrder")->setCurrentIndex(2);
        QVERIFY(shown.view.map().map().headings.empty());
        const std::uint32_t first = shown.view.map().map().strips.front().segment;
        QCOMPARE(shown.view.moment()->state.segments[first].range.size, 20'971'520);
    }

    void zoomingInMakesTheMapHigherAndFitBringsItBack()
    {
        ShownSegments shown(QStringLiteral("r5-flan-t5-xl-after"));
        shown.view.resize(1200, 900);
        AddressMapView& map = shown.view.map();
        QCOMPARE(map.verticalScrollBar()->maximum(), 0);
        map.setZoom(8);
        QVERIFY(map.verticalScrollBar()->maximum() > 0);
        map.setZoom(1);
        QCOMPARE(map.verticalScrollBar()->maximum(), 0);
    }

    void aShortViewBeginsWithTheFailedRequestAboveSeveralRows()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        shown.view.resize(980, 160);
        AddressMapView& map = shown.view.map();
        QTRY_VERIFY(map.viewport()->height() < 140);
        QVERIFY(!map.request().shapes.empty() && !map.ghost().empty());
        QCOMPARE(map.verticalScrollBar()->value(), 0);
        std::set<int> rows; // tops of the rows in view
        for (const MapStrip& strip : map.map().strips)
            if (strip.y + map.request().height < map.viewport()->height())
                rows.insert(strip.y);
        QVERIFY2(rows.size() >= 2, qPrintable(QString::number(rows.size())));
    }

    void aShortViewLeavesTheSentencesToTheTip()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        const auto* obstacle = shown.view.findChild<QLabel*>(QStringLiteral("segmentsObstacle"));
        QVERIFY(obstacle->isVisible());
        shown.view.resize(980, 160);
        QTRY_VERIFY(!obstacle->isVisible());
        const auto* headline = shown.view.findChild<QLabel*>(QStringLiteral("segmentsHeadline"));
        QVERIFY(headline->toolTip().contains(QStringLiteral("as large as the request")));
    }

    void theHeadlineIsNotCutInItsMiddle()
    {
        ShownSegments shown(QStringLiteral("r1-grpo-before"));
        shown.moveTo(shown.analysis->figures.peakEvent - 1);
        const auto* headline = shown.view.findChild<QLabel*>(QStringLiteral("segmentsHeadline"));
        const QString text = headline->text();
        if (const auto cut = text.indexOf(QChar(0x2026)); cut >= 0)
            QVERIFY2(text.mid(cut + 1).startsWith(QLatin1Char('<'))
                    || text.mid(cut + 1).startsWith(QStringLiteral(" (")),
                qPrintable(text));
        QVERIFY(!headline->toolTip().isEmpty());
    }

    void aHeadingThatIsCutIsToldWhole()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        shown.view.resize(600, 500);
        const AddressMapView& map = shown.view.map();
        QStringList told;
        for (int y = 0; y < map.viewport()->height(); ++y)
            told << map.tipAt({map.viewport()->width() / 2, y});
        QVERIFY2(told.join('\n').contains(QLatin1String("largest free block 166 MiB")),
            qPrintable(told.join('\n')));
    }

    void theLabelOfABarThatIsCutIsToldWhole()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        shown.view.resize(560, 500);
        const AddressMapView& map = shown.view.map();
        QStringList told;
        for (int y = 0; y < map.viewport()->height(); ++y)
            for (int x = 0; x < map.viewport()->width(); x += 4)
                told << map.tipAt({x, y});
        QVERIFY(told.join('\n').contains(QLatin1String("300 MiB free on the GPU")));
    }

    void whereMemoryRanOutItOpensWithTheAdvice()
    {
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        const auto* tabs = shown.view.findChild<QTabWidget*>();
        QVERIFY(tabs->currentWidget() == &shown.view.replays());
    }

    void withoutAFailureItOpensWithThePartlyFreeSegments()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        const auto* tabs = shown.view.findChild<QTabWidget*>();
        QCOMPARE(tabs->currentIndex(), 0);
    }

    void aLinkGoesToWhereMemoryRanOut()
    {
        ShownSegments shown(QStringLiteral("oom-too-big"));
        shown.moveTo(20);
        QVERIFY(textIn(shown.view).contains(QLatin1String("go to the out-of-memory event")));
        QSignalSpy asked(&shown.view, &AnalysisPanel::eventRequested);
        emit shown.view.findChild<QLabel*>("segmentsHeadline")->linkActivated(QStringLiteral("109"));
        QCOMPARE(asked[0][0].toLongLong(), 109);
    }

    void beforeAnythingIsReservedASentenceStandsThere()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        shown.moveTo(-1);
        QVERIFY(textIn(shown.view).contains(QLatin1String("no segments: nothing is reserved")));
    }

    void withoutADeviceNothingIsShown()
    {
        ShownSegments shown(QStringLiteral("tiny-hand-checked"));
        shown.view.showDevice(nullptr);
        QVERIFY(!shown.view.moment());
        QVERIFY(shown.view.isSettled());
    }

    void theTablesKeepTheRulesOfModels()
    {
        TableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ShownSegments shown(QStringLiteral("oom-fragmentation"));
        model.setTable(
            partlyFreeTable(shown.analysis->allocations, shown.analysis->sites, *shown.view.moment(), 0));
        QVERIFY(model.rowCount() > 1);
        model.sort(0, Qt::AscendingOrder);
        const QString least = model.index(0, 0).data().toString();
        model.sort(0, Qt::DescendingOrder);
        QVERIFY(model.index(0, 0).data().toString() != least);
        model.setTable(freeListTable(*shown.analysis->trace, *shown.view.moment()));
        model.setTable(freeBlockTable(*shown.view.moment()));
    }
};

HIGHWATER_APP_TEST(SegmentsViewTest)

} // namespace highwater::gui::test

#include "segments_view_test.moc"
