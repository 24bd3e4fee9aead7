#include <algorithm>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

#include "app/models/table_model.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/steps/folded_chart.h"
#include "app/views/steps/step_chart.h"
#include "app/views/steps/steps_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/trace/trace_builder.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// A sample with six training steps and no annotations.
constexpr auto kSample = "training-6-steps-bare";

/// Returns steps of two events each, of which the sixth has twice the peak.
std::shared_ptr<const DeviceAnalysis> stepsWithAnOutlier(int count)
{
    TraceBuilder builder;
    const StreamId stream = builder.stream(0);
    for (int i = 0; i < 2 * count; ++i)
        builder.addEvent({i % 2 == 0 ? Action::Alloc : Action::Free, Address{1024}, i / 2 == 5 ? 4096 : 2048,
            (i + 1) * 1000, stream, {}, {}, {}, {}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, static_cast<std::uint32_t>(2 * count)}});
    for (int i = 0; i < count; ++i) {
        const StringId id = builder.strings().intern("ProfilerStep#" + std::to_string(i));
        builder.addAnnotationMark({id, 0, i * 2000 + 500, true});
        builder.addAnnotationMark({id, 0, i * 2000 + 2400, false});
    }
    return std::make_shared<const DeviceAnalysis>(builder.finish(), DeviceIndex{0});
}

/// The view of an analysis, shown.
struct ShownSteps
{
    explicit ShownSteps(std::shared_ptr<const DeviceAnalysis> shown = mainAnalysis(kSample))
        : analysis(std::move(shown))
    {
        view.resize(1200, 240);
        view.showDevice(analysis);
        view.show();
    }
    std::shared_ptr<const DeviceAnalysis> analysis;
    Selection selection;
    StepsView view{selection};
};

class StepsViewTest : public QObject
{
    Q_OBJECT

private slots:
    void tableKeepsTheRulesOfItemModels()
    {
        Selection selection;
        StepsView view(selection);
        view.show();
        const QAbstractItemModelTester tester(
            view.table().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        view.showDevice(mainAnalysis(kSample));
        view.table().sortByColumn(1, Qt::DescendingOrder);
        view.showDevice(nullptr);
    }

    void tableHasARowForEachStepWithItsExactFigures()
    {
        ShownSteps shown;
        const auto& model = static_cast<const TableModel&>(*shown.view.table().model());
        QCOMPARE(model.rowCount(), 6);
        const Step& step = shown.analysis->steps.steps[2];
        QString peak = model.index(2, model.column("peak_bytes")).data(Qt::ToolTipRole).toString();
        QCOMPARE(peak.remove(QLatin1Char(',')).remove(QStringLiteral(" B")).toLongLong(), step.peakBytes);
    }

    void sortingMovesRowsAndKeepsTheSelectedStep()
    {
        ShownSteps shown;
        auto& model = static_cast<TableModel&>(*shown.view.table().model());
        const QPersistentModelIndex kept = model.index(0, 0);
        model.sort(model.column("peak_event"), Qt::DescendingOrder);
        QCOMPARE(model.rowAt(0), std::size_t{5});
        QCOMPARE(model.shownRow(0), 5);
        QCOMPARE(kept.row(), 5);
        QCOMPARE(kept.data().toString(), QString::fromStdString(shown.analysis->steps.steps[0].name));
    }

    void clickOnABarAsksForThePeakOfItsStep()
    {
        ShownSteps shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QSignalSpy asked(&shown.view, &AnalysisPanel::eventRequested);
        QTest::mouseClick(
            &shown.view.chart(), Qt::LeftButton, {}, shown.view.chart().rectOf(3).center().toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toLongLong(), shown.analysis->steps.steps[3].peakEvent);
        QCOMPARE(shown.view.selectedStep(), std::optional<std::size_t>(3));
        QCOMPARE(shown.view.table().currentIndex().row(), 3);
    }

    void clickOnAnOutlierOfTheFoldedStepsSelectsItsStep()
    {
        ShownSteps shown(stepsWithAnOutlier(12));
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QTRY_VERIFY(shown.view.folded().isVisible());
        QCOMPARE(shown.view.folded().steps()->outliers.size(), std::size_t{1});
        QTRY_VERIFY(!shown.view.folded().pointOn(5).isNull());
        QSignalSpy asked(&shown.view, &AnalysisPanel::eventRequested);
        QTest::mouseClick(&shown.view.folded(), Qt::LeftButton, {}, shown.view.folded().pointOn(5).toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toLongLong(), shown.analysis->steps.steps[5].peakEvent);
        QCOMPARE(shown.view.selectedStep(), std::optional<std::size_t>(5));
    }

    void fewerThanEightStepsAreNotFolded()
    {
        Selection selection;
        StepsView view(selection);
        view.resize(1200, 240);
        view.showDevice(mainAnalysis("r1-grpo-before"));
        view.show();
        QTRY_VERIFY(view.folded().isVisible());
        view.showDevice(mainAnalysis(kSample));
        QTest::qWait(100);
        QVERIFY(!view.folded().isVisible());
    }

    void doubleClickOnABarAsksForTheEventsOfItsStep()
    {
        ShownSteps shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QSignalSpy asked(&shown.view, &AnalysisPanel::rangeRequested);
        QTest::mouseDClick(
            &shown.view.chart(), Qt::LeftButton, {}, shown.view.chart().rectOf(1).center().toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toLongLong(), shown.analysis->steps.steps[1].begin);
        QCOMPARE(asked[0][1].toLongLong(), shown.analysis->steps.steps[1].end);
    }

    void wheelZoomsAtThePointerAndDraggingMovesAlongWithoutChoosing()
    {
        StepChart chart;
        chart.resize(600, 240);
        chart.setAnalysis(mainAnalysis("r1-grpo-before"));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const auto all = chart.range();
        QCOMPARE(all, (std::pair<std::size_t, std::size_t>(0, 15)));
        const QPoint last = chart.rectOf(14).center().toPoint();
        for (int i = 0; i < 6; ++i) {
            QWheelEvent wheel(
                last, chart.mapToGlobal(last), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&chart, &wheel);
        }
        QCOMPARE(chart.range().second, std::size_t{15});
        QVERIFY(chart.range().first >= 8);
        const std::size_t first = chart.range().first;
        QSignalSpy clicked(&chart, &FigureView::clicked);
        const QPoint from = chart.rectOf(static_cast<int>(first) + 2).center().toPoint();
        const QPoint to = from + QPoint(qRound(chart.rectOf(static_cast<int>(first)).width()), 0);
        QTest::mousePress(&chart, Qt::LeftButton, {}, from);
        QTest::mouseMove(&chart, to);
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, to);
        QCOMPARE(chart.range().first, first - 1);
        QCOMPARE(clicked.size(), 0);
        chart.setSelected(0);
        QCOMPARE(chart.range().first, std::size_t{0});
        QCOMPARE(chart.selected(), std::optional(0));
    }

    void tipOfABarNamesItsPeakItsPartsAndItsNotes()
    {
        const auto analysis = mainAnalysis(kSample);
        StepChart chart;
        chart.resize(600, 240);
        chart.setAnalysis(analysis);
        chart.setNotes({{.number = 3, .first = 2, .last = 2, .title = "look here"}});
        const QString tip = chart.titleAt(chart.rectOf(2).center());
        QVERIFY2(tip.contains(QStringLiteral("peak ") + bytesText(analysis->steps.steps[2].peakBytes)),
            qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("activations")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("at its start to")), qPrintable(tip));
        QVERIFY2(tip.endsWith(QStringLiteral("note 3: look here")), qPrintable(tip));
        QVERIFY(!chart.titleAt(chart.rectOf(3).center()).contains(QStringLiteral("note")));
    }

    void cursorOfTheTimelineSelectsItsStepWithoutMovingTheTimeline()
    {
        ShownSteps shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QSignalSpy asked(&shown.view, &AnalysisPanel::eventRequested);
        shown.selection.setCursor(shown.analysis->steps.steps[4].begin + 1);
        QCOMPARE(shown.view.selectedStep(), std::optional<std::size_t>(4));
        QCOMPARE(asked.size(), 0);
    }

    void sentenceSaysWhatTellsTheStepsApart()
    {
        ShownSteps shown;
        const QString text = shown.view.findChild<QLabel*>(QStringLiteral("stepsSentence"))->text();
        const QString reason = QString::fromStdString(shown.analysis->steps.reason);
        QVERIFY2(text.contains(reason, Qt::CaseInsensitive), qPrintable(text));
        QVERIFY2(text.startsWith(QStringLiteral("6 steps")), qPrintable(text));
    }

    void aShortViewGivesItsHeightToTheBars()
    {
        ShownSteps shown;
        shown.view.resize(960, 160);
        QTRY_VERIFY(shown.view.chart().height() < 140);
        const StepChart& chart = shown.view.chart();
        QRectF bars;
        for (const int id : chart.ids())
            bars |= chart.rectOf(id);
        QVERIFY2(bars.height() > 0.6 * chart.height(), qPrintable(QString::number(bars.height())));
        for (const FigureShape& shape : chart.figure().shapes)
            if (const auto* text = std::get_if<FigureText>(&shape)) {
                QVERIFY2(!text->upwards, text->text.c_str());
                QVERIFY2(text->text != "step", "the name of the axis");
            }
    }

    void eachChartHasATitleAndTheKeyOfItsLines()
    {
        ShownSteps shown;
        const auto* const bars = shown.view.findChild<QLabel*>(QStringLiteral("stepChartKey"));
        const auto* const folded = shown.view.findChild<QLabel*>(QStringLiteral("foldedKey"));
        QVERIFY(bars && bars->text().startsWith("▮ peak") && !bars->text().contains("GPU"));
        QVERIFY(folded && folded->text().startsWith("Memory above each step"));
        QCOMPARE(shown.view.findChild<QToolButton*>(QStringLiteral("stepDifferences"))->text(),
            QStringLiteral("Enlarge differences"));
        shown.view.setCapacity(
            DeviceCapacity{shown.analysis->figures.peakBytes, CapacitySource::Chosen, {}, -1});
        QVERIFY2(bars->text().endsWith("GPU"), qPrintable(bars->text()));
    }

    void theTitleIsTheKeyOfTheLinesAtEverySize()
    {
        ShownSteps shown;
        const auto* const title = shown.view.findChild<QLabel*>(QStringLiteral("stepChartKey"));
        for (const QSize& size : {QSize(700, 160), QSize(960, 700), QSize(1600, 300)}) {
            shown.view.resize(size);
            QTRY_COMPARE(title->text(), QStringLiteral("▮ peak, ━ end, ╍ start"));
        }
    }

    void aNarrowViewHasOneChartAndWhatStepsLeaveBehind()
    {
        ShownSteps shown(stepsWithAnOutlier(10));
        QTRY_VERIFY(shown.view.folded().isVisible());
        shown.view.resize(700, 160);
        QVERIFY(!shown.view.folded().isVisible());
        const auto& model = static_cast<const TableModel&>(*shown.view.table().model());
        const int leftBehind = model.column("left_behind_bytes");
        QTRY_VERIFY(leftBehind > 0 && !shown.view.table().isColumnHidden(leftBehind));
        shown.view.resize(1200, 240);
        QVERIFY(shown.view.folded().isVisible());
    }

    void theTableHasNoOtherDifferenceThanWhatIsLeftBehind()
    {
        ShownSteps shown;
        QCOMPARE(static_cast<const TableModel&>(*shown.view.table().model()).column("retained_bytes"), -1);
    }

    void theSentenceHasTheMedianAndTheLowestPeak()
    {
        ShownSteps shown(mainAnalysis("fault-growth"));
        const QString text = shown.view.text();
        QVERIFY2(
            text.contains(QStringLiteral("; median of the 8 complete steps 86.98 MiB, lowest 71.08 MiB")),
            qPrintable(text));
    }

    void theSentenceNamesTheExceptionAmongEqualSteps()
    {
        ShownSteps shown;
        QVERIFY2(shown.view.text().contains(QStringLiteral("Most peak at 384.91 MiB"))
                && shown.view.text().contains(QStringLiteral("; lowest: step 0 with 344.3 MiB")),
            qPrintable(shown.view.text()));
    }

    void theSentenceNamesTheHighestPeakWhereItIsCut()
    {
        ShownSteps shown;
        shown.view.resize(700, 160);
        const auto* sentence = shown.view.findChild<ElidedLabel*>(QStringLiteral("stepsSentence"));
        QVERIFY2(sentence->shown().contains(QStringLiteral("Most peak at ")), qPrintable(sentence->shown()));
        QVERIFY2(!sentence->shown().contains(QChar(0x2026)), qPrintable(sentence->shown()));
    }

    void aCellOfLeftBehindIsALinkThatSaysWhatItShows()
    {
        const auto analysis = mainAnalysis(kSample);
        Selection selection;
        StepsView view(selection);
        view.resize(1600, 240);
        view.showDevice(analysis);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTableView& table = view.table();
        const auto& model = static_cast<const TableModel&>(*table.model());
        const QModelIndex cell = model.index(0, model.column("left_behind_bytes"));
        table.scrollTo(cell);
        const QPoint at = table.visualRect(cell).center();
        QHelpEvent help(QEvent::ToolTip, at, table.viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(table.viewport(), &help);
        QVERIFY2(QToolTip::text().startsWith(QStringLiteral("Click to show what the step allocated")),
            qPrintable(QToolTip::text()));
        QSignalSpy requested(&view, &StepsView::stepRequested);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].toULongLong(), 0ULL);
        QCOMPARE(requested[0][1].value<StepCommand>(), StepCommand::ShowLeftBehind);
    }

    void aCellWithNextToNothingLeftBehindIsNoLink()
    {
        ShownSteps shown; // whose fourth step leaves nothing behind
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QTableView& table = shown.view.table();
        const auto& model = static_cast<const TableModel&>(*table.model());
        const QModelIndex cell = model.index(3, model.column("left_behind_bytes"));
        table.scrollTo(cell);
        QSignalSpy requested(&shown.view, &StepsView::stepRequested);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
        QCOMPARE(requested.count(), 0);
    }

    void aClickOnAnotherCellShowsNothingElse()
    {
        Selection selection;
        StepsView view(selection);
        view.resize(1600, 240);
        view.showDevice(mainAnalysis(kSample));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy requested(&view, &StepsView::stepRequested);
        QTest::mouseClick(view.table().viewport(), Qt::LeftButton, {},
            view.table().visualRect(view.table().model()->index(3, 0)).center());
        QCOMPARE(requested.count(), 0);
    }

    void withoutAStepTheMenuOffersNothingOnOne()
    {
        ShownSteps shown;
        QVERIFY(!shown.view.selectedStep());
        QWidget& rows = *shown.view.table().viewport();
        QContextMenuEvent event(QContextMenuEvent::Mouse, {-1, -1}, rows.mapToGlobal(QPoint(-1, -1)));
        QCoreApplication::sendEvent(&rows, &event);
        const std::unique_ptr<QMenu> menu(shown.view.findChild<QMenu*>(QStringLiteral("stepRowMenu")));
        QVERIFY(menu);
        for (const QAction* action : menu->actions())
            QVERIFY2(
                !action->text().startsWith("Largest allocation at the peak"), qPrintable(action->text()));
    }

    void theMenuOfARowIsAboutThatRowAndMovesNothing()
    {
        ShownSteps shown;
        shown.selection.setCursor(shown.analysis->steps.steps[0].begin);
        QSignalSpy moved(&shown.view, &AnalysisPanel::eventRequested);
        QSignalSpy requested(&shown.view, &StepsView::comparisonRequested);
        QWidget& rows = *shown.view.table().viewport();
        const QPoint at = shown.view.table().visualRect(shown.view.table().model()->index(2, 0)).center();
        QTest::mouseClick(&rows, Qt::RightButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, rows.mapToGlobal(at));
        QCoreApplication::sendEvent(&rows, &event);
        const std::unique_ptr<QMenu> menu(shown.view.findChild<QMenu*>(QStringLiteral("stepRowMenu")));
        QVERIFY(menu);
        const QString first = QString::fromStdString(shown.analysis->steps.steps[0].name);
        for (QAction* action : menu->actions())
            if (action->text() == "Compare with " + first)
                action->trigger();
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].toULongLong(), 0ULL);
        QCOMPARE(requested[0][1].toULongLong(), 2ULL);
        QCOMPARE(moved.count(), 0);
        QCOMPARE(shown.view.selectedStep(), std::optional<std::size_t>(2));
    }

    void ctrlClickOnARowOrBarComparesItsStepAndMovesNothing()
    {
        ShownSteps shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QSignalSpy moved(&shown.view, &AnalysisPanel::eventRequested);
        QSignalSpy requested(&shown.view, &StepsView::stepRequested);
        QTest::mouseClick(shown.view.table().viewport(), Qt::LeftButton, Qt::ControlModifier,
            shown.view.table().visualRect(shown.view.table().model()->index(2, 0)).center());
        QTest::mouseClick(&shown.view.chart(), Qt::LeftButton, Qt::ControlModifier,
            shown.view.chart().rectOf(3).center().toPoint());
        QCOMPARE(requested.count(), 2);
        QCOMPARE(requested[0][0].toULongLong(), 2ULL);
        QCOMPARE(requested[1][0].toULongLong(), 3ULL);
        for (const QList<QVariant>& request : requested)
            QCOMPARE(request[1].value<StepCommand>(), StepCommand::Compare);
        QCOMPARE(moved.count(), 0);
    }

    void aClickOnATabOpensThePanelAndNeverClosesIt()
    {
        Selection selection;
        PanelTabs tabs;
        tabs.add(new StepsView(selection), QStringLiteral("steps"), QStringLiteral("Steps"), {});
        tabs.resize(800, 300);
        tabs.show();
        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(0).center());
        QCOMPARE(tabs.openName(), QStringLiteral("steps"));
        tabs.setExtent(PanelTabs::Extent::Collapsed);
        QVERIFY(tabs.openName().isEmpty());
        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(0).center());
        QCOMPARE(tabs.openName(), QStringLiteral("steps"));
        QVERIFY(!tabs.open(QStringLiteral("nothing")));
    }
};

HIGHWATER_APP_TEST(StepsViewTest)

} // namespace highwater::gui::test

#include "steps_view_test.moc"
