#include <algorithm>
#include <numeric>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/timeline/timeline_markers.h"
#include "app/views/compare/compare_header.h"
#include "app/views/compare/compare_pictures.h"
#include "app/views/compare/diff_flame_view.h"
#include "app/views/compare/diff_table.h"
#include "app/views/compare/step_links.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/message_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/text_device.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

namespace {

RunChoice choiceOf(const QString& name)
{
    const std::shared_ptr<const Document> document = loadSample(name);
    return {document, *document->mainDevice, {}};
}

const QString kBefore = QStringLiteral("r1-grpo-before");
const QString kAfter = QStringLiteral("r1-grpo-after");

} // namespace

/// Tests of the comparison of two runs: state, views and window.
class CompareTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ComparePage> m_page;

    ComparisonState& state() { return m_page->state(); }
    LinkedTimelines& timelines() { return m_page->timelines(); }
    TimelinePlot& plot(LinkedTimelines::Side side) { return timelines().plot(side); }
    static void point(TimelinePlot& plot, double share)
    {
        const QRectF rect = plot.area().rect;
        QTest::mouseMove(&plot, QPointF(rect.left() + share * rect.width(), rect.center().y()).toPoint());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_page = std::make_unique<ComparePage>();
        m_page->resize(1500, 900);
        m_page->show();
        m_page->compare(choiceOf(kBefore), choiceOf(kAfter));
        QTRY_VERIFY(m_page->isSettled());
    }
    void cleanup() { m_page.reset(); }

    void rowsSumToTheChangeOfThePeak()
    {
        const RunDiff& diff = state().diff()->diff;
        QCOMPARE(diff.before.bytes, Bytes{24287511136});
        QCOMPARE(diff.after.bytes, Bytes{24322085344});
        const Bytes sum = std::accumulate(diff.rows.begin(), diff.rows.end(), Bytes{0},
            [](Bytes all, const DiffRow& row) { return all + row.delta(); });
        QCOMPARE(sum, diff.delta());
    }

    void theHeaderGivesTheChangeOfThePeak()
    {
        const QString text = textIn(m_page->header());
        QVERIFY2(text.contains(QStringLiteral("22.62 GiB → 22.65 GiB")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("+32.97 MiB (+0.1%)")), qPrintable(text));
    }

    void theHeaderIsLedByTheOutcomeAndHasBothGauges()
    {
        const auto* outcome = m_page->header().findChild<QLabel*>(QStringLiteral("compareOutcome"));
        QVERIFY2(outcome->text().startsWith(QStringLiteral("Not fixed: memory still leaks")),
            qPrintable(outcome->text()));
        const QString text = textIn(m_page->header());
        QVERIFY2(text.contains(QStringLiteral("22.62 GiB in use")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("22.65 GiB in use")), qPrintable(text));
    }

    void theLaneBetweenTheTimelinesNamesEachStepOnce()
    {
        const auto& links = *m_page->findChild<StepLinks*>(QStringLiteral("stepLinks"));
        QCOMPARE(links.lane().size(), state().alignment()->marks.size());
        for (const AxisMark& step : links.lane())
            QVERIFY2(!step.label.starts_with("–"), step.label.c_str());
        state().setAxis(RunAxis::Event);
        QTRY_VERIFY(m_page->isSettled());
        QVERIFY(links.lane().empty());
    }

    void aShortStepHasAsMuchRoomAsALongOneWhereAllAreEqual()
    {
        state().setAxis(RunAxis::EqualStep);
        QTRY_VERIFY(m_page->isSettled());
        const std::vector<AxisMark>& marks = state().alignment()->marks;
        QCOMPARE(marks[14].position - marks[13].position, marks[1].position - marks[0].position);
    }

    void theHeaderHasRoomForAllSentencesAsSoonAsItShowsThem()
    {
        for (int width = 900; width <= 1700; width += 50) {
            CompareHeader header;
            header.resize(width, 60);
            static_cast<QWidget&>(header).show();
            header.show(nullptr);
            QCoreApplication::processEvents();
            header.show(state().diff().get());
            header.unfold(true);
            const auto* verdict = header.findChild<QLabel*>(QStringLiteral("compareVerdict"));
            header.layout()->activate();
            QVERIFY2(verdict->minimumHeight() >= verdict->heightForWidth(verdict->width()),
                qPrintable(QString::number(width)));
        }
    }

    void swappingNegatesEveryRow()
    {
        const std::shared_ptr<const MomentDiff> straight = state().diff();
        state().swap();
        QTRY_VERIFY(m_page->isSettled() && state().diff() != straight);
        QCOMPARE(state().diff()->diff.delta(), -straight->diff.delta());
        QCOMPARE(state().diff()->diff.rows.size(), straight->diff.rows.size());
        QCOMPARE(state().diff()->diff.rows[0].delta(), -straight->diff.rows[0].delta());
    }

    void aRunWithItselfSaysSo()
    {
        m_page->compare(choiceOf(kBefore), choiceOf(kBefore));
        QTRY_VERIFY(state().diff() && state().diff()->diff.delta() == 0 && m_page->isSettled());
        QVERIFY(textIn(m_page->header()).contains(QStringLiteral("0 B")));
    }

    void bothTimelinesShowTheSameRange()
    {
        const QRectF rect = plot(LinkedTimelines::Before).area().rect;
        QWheelEvent wheel(rect.center(), plot(LinkedTimelines::Before).mapToGlobal(rect.center()), {},
            {0, 360}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot(LinkedTimelines::Before), &wheel);
        const PlotArea above = plot(LinkedTimelines::Before).area();
        const PlotArea below = plot(LinkedTimelines::After).area();
        QVERIFY(above.xEnd - above.xBegin < state().alignment()->end());
        QCOMPARE(below.xBegin, above.xBegin);
        QCOMPARE(below.xEnd, above.xEnd);
        QCOMPARE(below.yTop, above.yTop);
        timelines().fit();
        QCOMPARE(plot(LinkedTimelines::After).area().xEnd, state().alignment()->end());
    }

    void oneScaleHoldsBothPeaks_andEachItsOwnWhenReleased()
    {
        m_page->compare(choiceOf(QStringLiteral("r5-flan-t5-xl-before")),
            choiceOf(QStringLiteral("r5-flan-t5-xl-after")));
        QTRY_COMPARE(state().comparison()->before.peak().bytes, Bytes{32826093568});
        const auto top = [this](LinkedTimelines::Side side) { return plot(side).area().yTop; };
        QCOMPARE(top(LinkedTimelines::Before), top(LinkedTimelines::After));
        QVERIFY(top(LinkedTimelines::After) > 32826093568.0);
        timelines().setSameScale(false);
        QVERIFY(top(LinkedTimelines::After) < top(LinkedTimelines::Before)
            || top(LinkedTimelines::After) > top(LinkedTimelines::Before));
    }

    void theCursorStandsAtTheSamePlaceInBoth()
    {
        point(plot(LinkedTimelines::Before), 0.5);
        QTRY_VERIFY(timelines().selection(LinkedTimelines::After).pointed().has_value());
        const double place = *timelines().lastPlace();
        const std::int64_t other = *timelines().selection(LinkedTimelines::After).pointed();
        const EventScale& scale = state().alignment()->after;
        // The column's highest moment, which is within a pixel of this place.
        QVERIFY(std::abs(scale.positionOf(other) - place) < state().alignment()->end() / 300);
        QVERIFY(m_page->cursorText().contains(QStringLiteral("before ")));
        QVERIFY(m_page->cursorText().contains(QStringLiteral("after ")));
    }

    void nothingIsDrawnWhereARunHasEnded()
    {
        state().setAxis(RunAxis::Event);
        QTRY_VERIFY(m_page->isSettled());
        const std::shared_ptr<const BandImage> image = plot(LinkedTimelines::Before).image();
        QCOMPARE(image->raster.columns.back().event, kNoState);
        point(plot(LinkedTimelines::Before), 0.97);
        QTRY_VERIFY(timelines().selection(LinkedTimelines::After).pointed().has_value());
        QVERIFY(!timelines().selection(LinkedTimelines::Before).pointed().has_value());
        QVERIFY(m_page->cursorText().contains(QStringLiteral("before –")));
    }

    void aRowStandsOutInBothTimelines()
    {
        state().selectRows({1}); // forward (model.py:39)
        const DiffRow& row = state().diff()->diff.rows[1];
        const auto countOf = [](const BandView::Highlight& members) {
            return std::count(members->begin(), members->end(), true);
        };
        std::vector<bool> rows(state().diff()->diff.rows.size(), false);
        rows[1] = true;
        QCOMPARE(countOf(state().diff()->beforeMembers(rows)), row.before.count);
        QCOMPARE(countOf(state().diff()->afterMembers(rows)), row.after.count);
        QTRY_VERIFY(m_page->isSettled());
        QVERIFY(plot(LinkedTimelines::Before).image()->request.emphasis);
        QVERIFY(
            m_page->findChild<QLabel*>("diffFacts")->text().contains(QStringLiteral("forward (model.py:39)"))
            || m_page->findChild<QLabel*>("diffFacts")->text().contains(QStringLiteral("model.py:39")));
        m_page->release();
        QVERIFY(state().selectedRows().empty());
    }

    void clickingAnAllocationChoosesItsRow()
    {
        m_page->goToPeak();
        const PlotArea area = plot(LinkedTimelines::After).area();
        const auto x
            = static_cast<int>(area.toX(state().alignment()->after.positionOf(state().moments().afterEvent)));
        const QPoint at(x - 1, static_cast<int>(area.rect.bottom()) - 30);
        QTest::mouseMove(&plot(LinkedTimelines::After), at);
        QTest::mouseClick(&plot(LinkedTimelines::After), Qt::LeftButton, {}, at);
        QTRY_COMPARE(state().selectedRows().size(), std::size_t{1});
    }

    void theTableIsSortedFilteredAndCopied()
    {
        QTableView& table = m_page->rows().table();
        const QAbstractItemModelTester tester(
            table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTest::mouseClick(m_page->rows().findChild<QToolButton*>("showUnchanged"), Qt::LeftButton);
        const int all = table.model()->rowCount();
        QCOMPARE(all, static_cast<int>(state().diff()->diff.rows.size()));
        table.sortByColumn(1, Qt::DescendingOrder);
        QVERIFY(table.model()->index(0, 1).data().toString().startsWith(QLatin1Char('+')));
        m_page->rows().filter().setText(QStringLiteral("gone"));
        QVERIFY(table.model()->rowCount() < all && table.model()->rowCount() > 0);
        const auto* sum = m_page->rows().findChild<QLabel*>("diffSum");
        QVERIFY(sum->isVisible() && sum->text().contains(QStringLiteral(" of ")));
        QVERIFY(tableText(m_page->rows().table(), false)
                    .contains(QStringLiteral("collect_scores (rollout.py:83)")));
        m_page->rows().filter().clear();
        QVERIFY(!sum->isVisible()); // the header has it
    }

    void stepsAreComparedByTheirPeaks()
    {
        m_page->goToNeighbourStep(0);
        QTRY_VERIFY(m_page->isSettled());
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Step);
        const Comparison& of = *state().comparison();
        const StepPair& pair = of.runs.steps().pairs[state().moments().pair];
        QCOMPARE(state().diff()->diff.before.bytes, of.before.analysis->steps.steps[*pair.before].peakBytes);
        QCOMPARE(state().diff()->diff.after.bytes, of.after.analysis->steps.steps[*pair.after].peakBytes);
        const std::size_t first = state().moments().pair;
        m_page->goToNeighbourStep(1);
        QCOMPARE(state().moments().pair, first + 1);
        m_page->goToPeak();
        QCOMPARE(state().moments(), peaksOf(of));
    }

    void escEndsTheRowThenTheRangeThenTheMoment()
    {
        m_page->goToNeighbourStep(0);
        QTRY_VERIFY(m_page->isSettled());
        Selection& selection = timelines().selection(LinkedTimelines::Before);
        selection.setCursor(20);
        selection.setRange(Selection::EventRange{10, 40});
        state().selectRows({0});
        m_page->release();
        QVERIFY(state().selectedRows().empty() && selection.range());
        m_page->release();
        QVERIFY(!selection.range() && selection.cursor());
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Step);
        m_page->release();
        QVERIFY(!selection.cursor());
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Peaks);
        QVERIFY(timelines().range().x().isWhole());
    }

    void theHeadsGiveTheFiguresOfTheStepsShown()
    {
        state().compareStep(13);
        QTRY_VERIFY(m_page->isSettled());
        for (const auto& [name, figures] : {std::pair("beforeCaption", "step 13, peak 22.45 GiB"),
                 std::pair("afterCaption", "step 13, peak 16.62 GiB")}) {
            const QString text = m_page->findChild<QLabel*>(QLatin1String(name))->text();
            QVERIFY2(text.contains(QLatin1String(figures)), qPrintable(text));
        }
    }

    void aScaleRunsAlongAStepThatFillsTheView()
    {
        m_page->goToNeighbourStep(0);
        QTRY_VERIFY(m_page->isSettled());
        auto& links = *m_page->findChild<StepLinks*>(QStringLiteral("stepLinks"));
        TextDevice device(links.size());
        links.render(&device);
        QVERIFY(std::ranges::any_of(
            device.texts(), [](const DrawnText& text) { return text.text.endsWith(QLatin1Char('%')); }));
    }

    void escapeReturnsToTheViewBeforeTheSteps()
    {
        timelines().zoom(0.5);
        const AxisWindow view = timelines().range().x();
        m_page->goToNeighbourStep(0);
        m_page->goToNeighbourStep(1);
        QVERIFY(m_page->canGoBack());
        m_page->release();
        QVERIFY(!m_page->canGoBack());
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Peaks);
        QCOMPARE(timelines().range().x().begin, view.begin);
        QCOMPARE(timelines().range().x().end, view.end);
    }

    void escapeReturnsFromTheBirthOfARow()
    {
        QVERIFY(timelines().range().x().isWhole());
        m_page->goToBirth(0);
        QVERIFY(!timelines().range().x().isWhole());
        m_page->release();
        QVERIFY(state().selectedRows().empty() && !m_page->canGoBack());
        QVERIFY(timelines().range().x().isWhole());
    }

    void peaksReturnToTheViewBeforeTheStepsAlsoByWayOfTheCursor()
    {
        QVERIFY(timelines().range().x().isWhole());
        m_page->goToNeighbourStep(0);
        QVERIFY(!timelines().range().x().isWhole());
        state().comparePlace(20, 20);
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Place);
        m_page->goToNeighbourStep(0);
        m_page->goToPeak();
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Peaks);
        QVERIFY(timelines().range().x().isWhole());
        QVERIFY(!m_page->canGoBack());
    }

    void untilTheRunsAreComparedALineSaysSo()
    {
        ComparePage page;
        static_cast<QWidget&>(page).show();
        page.compare(choiceOf(kBefore), choiceOf(kAfter));
        const auto* waiting = page.findChild<QLabel*>(QStringLiteral("compareWaiting"));
        QVERIFY(waiting->isVisible() && !page.timelines().isVisible());
        QCOMPARE(waiting->text(),
            QStringLiteral("Comparing r1-grpo-before.pickle.zst with r1-grpo-after.pickle.zst…"));
        QTRY_VERIFY(page.isSettled());
        QVERIFY(!waiting->isVisible() && page.timelines().isVisible());
    }

    void theHeaderNamesTheUnequalStepsOfThePeaks()
    {
        const QString text = textIn(m_page->header());
        QVERIFY2(text.contains(QStringLiteral("step 14 → step 20")), qPrintable(text));
    }

    void theLastStepThatBothCompletedIsOneClickAway()
    {
        const QList<QAction*> actions = m_page->actions();
        const auto offered = std::ranges::find(actions, QStringLiteral("step 13 ↔ step 13"), &QAction::text);
        QVERIFY(offered != actions.end());
        (*offered)->trigger();
        QTRY_VERIFY(m_page->isSettled());
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Step);
        QCOMPARE(state().moments().pair, std::size_t{13});
    }

    void anyPlaceCanBeCompared()
    {
        const RunAlignment& alignment = *state().alignment();
        state().comparePlace(alignment.before.eventAt(0), alignment.after.eventAt(0));
        QTRY_VERIFY(m_page->isSettled());
        const Comparison& of = *state().comparison();
        QCOMPARE(state().diff()->diff.before.bytes,
            of.before.analysis->curve.at(state().alignment()->before.eventAt(0)));
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Place);
    }

    void aClickComparesTheEventsThatThePointerNames()
    {
        state().comparePlace(100, 100);
        TimelinePlot& before = plot(LinkedTimelines::Before);
        QTRY_VERIFY(m_page->isSettled());
        const QRectF rect = before.area().rect;
        const QPoint at(qRound(rect.left() + 0.37 * rect.width()), qRound(rect.top()) + 3);
        QTest::mouseClick(&before, Qt::LeftButton, {}, at);
        moveMouse(before, at);
        const auto pointed = [&](LinkedTimelines::Side side) {
            return m_page->timelines().selection(side).pointed().value_or(-2);
        };
        QCOMPARE(state().moments().beforeEvent, pointed(LinkedTimelines::Before));
        QCOMPARE(state().moments().afterEvent, pointed(LinkedTimelines::After));
    }

    void ofEachRunAnotherMomentCanBeCompared()
    {
        const ComparedMoments peaks = state().moments();
        const PlotArea area = plot(LinkedTimelines::After).area();
        const auto x = static_cast<int>(area.rect.center().x());
        QTest::mouseClick(&plot(LinkedTimelines::After), Qt::LeftButton, Qt::ControlModifier,
            {x, static_cast<int>(area.rect.center().y())});
        QTRY_VERIFY(m_page->isSettled());
        QCOMPARE(state().moments().beforeEvent, peaks.beforeEvent);
        QVERIFY(state().moments().afterEvent != peaks.afterEvent);
        QCOMPARE(state().diff()->diff.after.bytes,
            state().comparison()->after.analysis->curve.at(state().moments().afterEvent));
    }

    void rowsOfEveryKindSumToTheSame()
    {
        for (const GroupKey key : {GroupKey::Stack, GroupKey::Function, GroupKey::File, GroupKey::Module,
                 GroupKey::Category, GroupKey::Size}) {
            state().setGroup(key);
            QTRY_VERIFY(state().diff()->group == key);
            QCOMPARE(state().diff()->diff.after.bytes, Bytes{24322085344});
            QVERIFY(!state().diff()->diff.rows.empty());
        }
    }

    void thePicturesShowWhatIsCompared()
    {
        ComparePictures& pictures = m_page->pictures();
        QVERIFY(!pictures.waterfall().ids().empty());
        emit pictures.waterfall().clicked(2);
        QCOMPARE(state().selectedRows(), std::vector<std::uint32_t>{2});
        QCOMPARE(pictures.waterfall().selected(), std::optional(2));
        pictures.setCurrentWidget(pictures.findChild<QWidget*>("curves"));
        QVERIFY(pictures.curves().figure().shapes.size() > 10);
        pictures.setCurrentWidget(pictures.findChild<QWidget*>("calls"));
        QTRY_VERIFY(pictures.calls().tree());
        QCOMPARE(pictures.calls().tree()->delta(CallTree::kRoot), state().diff()->diff.delta());
        pictures.setCurrentWidget(pictures.findChild<QWidget*>("steps"));
        emit pictures.steps().clicked(static_cast<int>(pictures.steps().ids().front()));
        QCOMPARE(state().moments().kind, ComparedMoments::Kind::Step);
    }

    void settingsThatDifferAreListed()
    {
        m_page->compare(choiceOf(QStringLiteral("r5-flan-t5-xl-before")),
            choiceOf(QStringLiteral("r5-flan-t5-xl-after")));
        QTRY_COMPARE(m_page->pictures().settings().model()->rowCount(), 5);
    }

    void theTabOfTheSettingsIsAsWideAsItsTextOnceTheyDiffer()
    {
        m_page->hide(); // as behind the page of the run that is opened
        m_page->compare(choiceOf(QStringLiteral("r5-flan-t5-xl-before")),
            choiceOf(QStringLiteral("r5-flan-t5-xl-after")));
        QTRY_COMPARE(m_page->pictures().settings().model()->rowCount(), 5);
        m_page->show();
        const QTabBar& tabs = *m_page->pictures().tabBar();
        const int settings = m_page->pictures().indexOf(&m_page->pictures().settings());
        QTRY_VERIFY(
            tabs.tabRect(settings).width() > tabs.fontMetrics().horizontalAdvance(tabs.tabText(settings)));
    }

    void theConfigurationOfOneRunDescribesBoth()
    {
        RunChoice after = choiceOf(QStringLiteral("r5-flan-t5-xl-after"));
        after.settings = {{"batch_of_the_configuration", "8", "yaml", 1}};
        m_page->compare(choiceOf(QStringLiteral("r5-flan-t5-xl-before")), after);
        QTRY_COMPARE(m_page->pictures().settings().model()->rowCount(), 5);
    }

    void theWindowComparesAndGoesBackToTheOneRun()
    {
        MainWindow window(false);
        window.resize(1400, 900);
        window.show();
        QSignalSpy complete(&window, &MainWindow::complete);
        window.compareFiles(samplePath(kBefore), samplePath(kAfter));
        QTRY_COMPARE(complete.size(), 1);
        QCOMPARE(complete[0][0].toString(), QString());
        QVERIFY(isOn(window.pages().compare));
        QVERIFY(window.windowTitle().contains(QStringLiteral("r1-grpo-before.pickle.zst ↔ r1-grpo-after")));
        QCOMPARE(window.pages().compare.state().comparison()->before.peak().bytes, Bytes{24287511136});
        window.actions().closeComparison->trigger();
        QVERIFY(!isOn(window.pages().compare));
        QVERIFY(isOn(window.page()));
        QCOMPARE(window.page().analysis()->figures.peakBytes, Bytes{24322085344});
    }

    void runsAreComparedInTheBytesThatAreShown()
    {
        MainWindow window(false);
        window.resize(1400, 900);
        window.show();
        window.compareFiles(samplePath(kBefore), samplePath(kAfter));
        const ComparePage& page = window.pages().compare;
        QTRY_VERIFY(isOn(page) && page.isSettled());
        QCOMPARE(
            window.pages().compare.state().comparison()->before.analysis->quantity(), Quantity::Requested);
        window.page().analysisSettings().setAllocated(true);
        QTRY_COMPARE(
            window.pages().compare.state().comparison()->before.analysis->quantity(), Quantity::Allocated);
        const Comparison& runs = *window.pages().compare.state().comparison();
        QCOMPARE(runs.after.analysis->quantity(), Quantity::Allocated);
        QVERIFY(runs.before.peak().bytes > 24287511136);
        QTRY_VERIFY(page.isSettled());
        QVERIFY2(page.statusText().contains(QStringLiteral("allocated")), qPrintable(page.statusText()));
    }

    void keysMoveBothTimelines()
    {
        MainWindow window(false);
        window.resize(1400, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.compareFiles(samplePath(kBefore), samplePath(kAfter));
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        ComparePage& page = window.pages().compare;
        const AxisWindow whole = page.timelines().range().x();
        QTest::keyClick(&window, Qt::Key_Plus);
        QCOMPARE(page.timelines().range().x().width(), whole.width() / 2);
        const double begin = page.timelines().range().x().begin;
        QTest::keyClick(&page.timelines().plot(LinkedTimelines::After), Qt::Key_Right);
        QVERIFY(page.timelines().range().x().begin > begin);
        QTest::keyClick(&window, Qt::Key_BracketRight);
        QTRY_COMPARE(page.state().moments().kind, ComparedMoments::Kind::Step);
        QTest::keyClick(&window, Qt::Key_P);
        QCOMPARE(page.state().moments().kind, ComparedMoments::Kind::Peaks);
        QTest::keyClick(&window, Qt::Key_0);
        QCOMPARE(page.timelines().range().x().width(), whole.width());
        QTest::keyClick(&page.timelines(), Qt::Key_X);
        QTRY_COMPARE(page.state().comparison()->before.peak().bytes, Bytes{24322085344});
    }

    void aFileThatCannotBeReadLeavesTheOneRunOpen()
    {
        MainWindow window(false);
        window.show();
        QSignalSpy complete(&window, &MainWindow::complete);
        window.compareFiles(brokenPath(QStringLiteral("not-a-snapshot.pickle")), samplePath(kAfter));
        QTRY_VERIFY(!complete.isEmpty() && isOn(window.page()));
        QVERIFY(!isOn(window.pages().compare));
        QTRY_VERIFY(window.errorText().contains(QStringLiteral("not-a-snapshot.pickle")));
    }

    void whatLimitsARecordingIsSaidOfBothRuns()
    {
        MainWindow window(false);
        window.show();
        window.compareFiles(brokenPath(QStringLiteral("truncated.pickle")), samplePath(kAfter));
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        QVERIFY2(
            window.findChild<MessageBar*>("warningBar")->text().contains(QStringLiteral("truncated.pickle")),
            qPrintable(window.findChild<MessageBar*>("warningBar")->text()));
    }

    void aLogCannotBeComparedWithATimeline()
    {
        MainWindow window(false);
        window.show();
        window.compareFiles(logPath("r5-flan-t5-xl.log"), samplePath(kAfter));
        QTRY_VERIFY(window.errorText().contains(QStringLiteral("cannot be compared")));
        QTRY_VERIFY(isOn(window.page()));
    }

    void aFileDroppedOnAnOpenRunCanBeCompared()
    {
        MainWindow window(false);
        window.resize(1400, 900);
        window.show();
        window.openFile(samplePath(kBefore));
        QTRY_VERIFY(isOn(window.page()) && window.page().isSettled());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(samplePath(kAfter))});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        const auto* menu = window.findChild<QMenu*>(QStringLiteral("dropMenu"));
        QVERIFY(menu);
        QVERIFY(menu->actions()[0]->text().contains(QStringLiteral("after")));
        menu->actions()[0]->trigger();
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        QCOMPARE(window.pages().compare.state().comparison()->after.peak().bytes, Bytes{24322085344});
    }

    void openingAnotherFileEndsTheComparison()
    {
        MainWindow window(false);
        window.show();
        window.compareFiles(samplePath(kBefore), samplePath(kAfter));
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        window.openFile(samplePath(QStringLiteral("oom-too-big")));
        QTRY_VERIFY(isOn(window.page()));
        QVERIFY(!window.sessions().other.isOpen());
    }
};

HIGHWATER_APP_TEST(CompareTest)

} // namespace highwater::gui::test

#include "compare_test.moc"
