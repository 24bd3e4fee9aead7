#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "app/models/table_model.h"
#include "app/timeline/highlight_chip.h"
#include "app/timeline/lane_strip.h"
#include "app/timeline/overview_strip.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/views/steps/steps_view.h"
#include "app/window/commands/actions.h"
#include "app/window/pages/compare_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests of keys and mouse on timeline, lanes and overview.
class PointingTest : public WindowFixture
{
    Q_OBJECT

public:
    PointingTest()
        : WindowFixture({1500, 800})
    {
    }

private:
    const AxisWindow& x() { return page().range().x(); }
    const Step& step(std::size_t index) { return page().analysis()->steps.steps[index]; }
    Selection::EventRange eventsOf(std::size_t index) { return {step(index).begin, step(index).end}; }

    /// Drags with Shift over a step, from a few pixels inside its begin to a few pixels inside its end.
    void markNearly(std::size_t index, Qt::KeyboardModifiers whileMoving)
    {
        const PlotArea area = timeline().area();
        const double y = area.rect.center().y();
        const QPoint from(qRound(area.toX(static_cast<double>(step(index).begin)) + 4), qRound(y));
        const QPointF to(area.toX(static_cast<double>(step(index).end)) - 4, y);
        QTest::mousePress(&timeline(), Qt::LeftButton, Qt::ShiftModifier, from);
        moveMouse(timeline(), to, Qt::LeftButton, whileMoving);
        QTest::mouseRelease(&timeline(), Qt::LeftButton, Qt::ShiftModifier, to.toPoint());
    }
    /// Returns a point in the middle of the view on an allocation whose call site is a line of Python.
    QPoint pointOnCode()
    {
        const QRectF rect = timeline().area().rect;
        for (int y = qRound(rect.bottom()) - 2; y > rect.top(); y -= 2) {
            const QPoint point(qRound(rect.center().x()), y);
            const AllocationIndex there = allocationAt(point);
            if (there != Selection::kNone && !placeOf(*page().analysis(), there).isEmpty())
                return point;
        }
        return {};
    }
    AllocationIndex allocationAt(const QPoint& point)
    {
        const PlotArea area = timeline().area();
        return timeline().image()->allocationAt(area.keyAt(point.x() + 0.5), area.bytesAt(point.y() + 0.5));
    }
    /// Verifies that Moment and plot show what the step allocated that is in use after it.
    void verifyShowsLeftBehind(std::size_t index)
    {
        QCOMPARE(*page().selection().range(), eventsOf(index));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("moment"));
        const auto* moment = page().panelTabs().findChild<CompositionView*>();
        const std::string start = "Left behind by " + step(index).name + ", in use at the end of step";
        QTRY_VERIFY2(
            moment->heading().startsWith(QString::fromStdString(start)), qPrintable(moment->heading()));
        const AllocationTable& allocations = page().analysis()->allocations;
        QVERIFY(page().bandView().highlighted());
        for (AllocationIndex i = 0; i < allocations.size(); ++i) {
            const bool isLeft = allocations.birth(i) >= step(index).begin
                && allocations.birth(i) < step(index).end && allocations.death(i) >= step(index + 1).end;
            QCOMPARE(bool((*page().bandView().highlighted())[i]), isLeft);
        }
    }

private slots:
    void wAndSZoomAtTheMouse()
    {
        openSample("training-6-steps-bare");
        const double whole = x().width();
        const QPointF point = timeline().area().rect.center() + QPointF(200, 0);
        moveMouse(timeline(), point, {});
        const double before = timeline().area().keyAt(point.x());
        QTest::keyClick(&timeline(), Qt::Key_W);
        QCOMPARE(x().width(), whole / 2);
        QVERIFY(qAbs(timeline().area().keyAt(point.x()) - before) < 1e-6);
        QTest::keyClick(&timeline(), Qt::Key_S);
        QCOMPARE(x().width(), whole);
    }

    void withoutTheMouseWZoomsInTheMiddle()
    {
        openSample("training-6-steps-bare");
        const double middle = (x().begin + x().end) / 2;
        timeline().ignoreMouseUntilMoved();
        QTest::keyClick(&timeline(), Qt::Key_W);
        QVERIFY(qAbs((x().begin + x().end) / 2 - middle) < 1e-6);
    }

    void aAndDMoveTheView()
    {
        openSample("training-6-steps-bare");
        page().range().setX(400, 800);
        QTest::keyClick(&timeline(), Qt::Key_D);
        QCOMPARE(x().begin, 450.0);
        QVERIFY(page().side().isVisible()); // the key is not theirs
        QTest::keyClick(&timeline(), Qt::Key_A);
        QCOMPARE(x().begin, 400.0);
    }

    void fFitsTheMarkedRange()
    {
        openSample("training-6-steps-bare");
        page().selection().setRange(Selection::EventRange{100, 300});
        QTest::keyClick(&timeline(), Qt::Key_F);
        QCOMPARE(x().begin, 100.0);
        QCOMPARE(x().end, 300.0);
    }

    void homeFitsTheWholeTrace()
    {
        openSample("training-6-steps-bare");
        page().range().setX(100, 300);
        QTest::keyClick(&timeline(), Qt::Key_Home);
        QVERIFY(page().range().isFit());
    }

    void lettersTypedIntoTheSearchMoveNothing()
    {
        openSample("training-6-steps-bare");
        page().range().setX(400, 800);
        auto* field = page().search().findChild<QLineEdit*>();
        field->setFocus();
        QTest::keyClicks(field, "wasdf");
        QTest::keyClick(field, Qt::Key_Home);
        QCOMPARE(field->text(), QStringLiteral("wasdf"));
        QCOMPARE(field->cursorPosition(), 0);
        QCOMPARE(x().begin, 400.0);
        QCOMPARE(x().end, 800.0);
    }

    void theMiddleButtonMovesTheViewAndPinsNothing()
    {
        openSample("training-6-steps-bare");
        page().range().setX(400, 800);
        const QPoint from = timeline().area().rect.center().toPoint();
        const double key = timeline().area().keyAt(from.x());
        QTest::mousePress(&timeline(), Qt::MiddleButton, {}, from);
        moveMouse(timeline(), from + QPoint(100, 0), Qt::MiddleButton);
        QTest::mouseRelease(&timeline(), Qt::MiddleButton, {}, from + QPoint(100, 0));
        QVERIFY(qAbs(timeline().area().keyAt(from.x() + 100) - key) < 1e-6);
        QTest::mouseClick(&timeline(), Qt::MiddleButton, {}, from);
        QVERIFY(!page().selection().isPinned());
    }

    void aDragInTheOverviewZoomsToThatPart()
    {
        openSample("training-6-steps-bare");
        OverviewStrip& strip = page().overview();
        const double whole = x().width();
        const QPoint from = strip.windowRect().center().toPoint();
        const QPoint to = from + QPoint(100, 0);
        QTest::mousePress(&strip, Qt::LeftButton, {}, from);
        moveMouse(strip, to, Qt::LeftButton);
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, to);
        QVERIFY(qAbs(x().width() - whole * 100 / timeline().area().rect.width()) < whole / 100);
        const QPoint outside(qRound(strip.windowRect().left()) - 200, from.y());
        QTest::mousePress(&strip, Qt::LeftButton, {}, outside);
        moveMouse(strip, outside + QPoint(50, 0), Qt::LeftButton);
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, outside + QPoint(50, 0));
        QVERIFY(x().end < whole / 2);
        QVERIFY(qAbs(x().width() - whole * 50 / timeline().area().rect.width()) < whole / 100);
    }

    void aClickInTheOverviewMovesTheWindowThere()
    {
        openSample("training-6-steps-bare");
        page().range().setX(0, 200);
        OverviewStrip& strip = page().overview();
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.rect().center());
        QVERIFY(x().begin > 200);
        QVERIFY(qAbs(x().width() - 200) < 1e-6);
    }

    void aMarkedRangeSnapsToTheStep()
    {
        openSample("training-6-steps-annotated");
        markNearly(2, Qt::ShiftModifier);
        QCOMPARE(*page().selection().range(), eventsOf(2));
    }

    void withAltAMarkedRangeStaysAsDragged()
    {
        openSample("training-6-steps-annotated");
        markNearly(2, Qt::ShiftModifier | Qt::AltModifier);
        QVERIFY(page().selection().range());
        QVERIFY(page().selection().range()->first > step(2).begin);
        QVERIFY(page().selection().range()->second < step(2).end);
    }

    void aClickOnAStepSelectsItAndPinsNothing()
    {
        openSample("training-6-steps-annotated");
        page().selection().pin(3);
        clickStep(2);
        QCOMPARE(*page().selection().range(), eventsOf(2));
        QCOMPARE(page().selection().cursor(), std::optional(step(2).peakEvent));
        QVERIFY(!page().selection().isPinned());
        QVERIFY(x().isWhole());
    }

    void aDoubleClickOnAStepZoomsToIt()
    {
        openSample("training-6-steps-annotated");
        clickStep(2);
        QTest::mouseDClick(&page().lanes(), Qt::LeftButton, {}, inLane(2));
        QCOMPARE(x().begin, static_cast<double>(step(2).begin));
        QCOMPARE(x().end, static_cast<double>(step(2).end));
    }

    void ctrlClickOnAnotherStepComparesBoth()
    {
        openSample("training-6-steps-annotated");
        QSignalSpy compared(&page(), &DocumentPage::stepsCompared);
        clickStep(1);
        clickStep(1, Qt::ControlModifier);
        QCOMPARE(compared.count(), 0);
        clickStep(4, Qt::ControlModifier);
        QCOMPARE(compared.count(), 1);
        QCOMPARE(compared[0][0].toULongLong(), 1ULL);
        QCOMPARE(compared[0][1].toULongLong(), 4ULL);
        const ComparisonState& state = m_window->pages().compare.state();
        QTRY_VERIFY(state.diff());
        QCOMPARE(state.moments().beforeEvent, step(1).peakEvent);
        QCOMPARE(state.moments().afterEvent, step(4).peakEvent);
    }

    void theEarlierOfTwoComparedStepsIsBefore()
    {
        openSample("training-6-steps-annotated");
        clickStep(4);
        clickStep(1, Qt::ControlModifier);
        const ComparisonState& state = m_window->pages().compare.state();
        QTRY_VERIFY(state.diff());
        QCOMPARE(state.moments().beforeEvent, step(1).peakEvent);
        QCOMPARE(state.moments().afterEvent, step(4).peakEvent);
    }

    void theLaneOffersToCompareWithTheSelectedStep()
    {
        openSample("training-6-steps-annotated");
        QSignalSpy compared(&page(), &DocumentPage::stepsCompared);
        clickStep(1);
        QVERIFY(chooseInMenu(
            page().lanes(), inLane(4), "laneMenu", "Compare with " + QString::fromStdString(step(1).name)));
        QCOMPARE(compared.count(), 1);
    }

    void theLaneOffersTheLargestAllocationAtAStepsPeak()
    {
        openSample("training-6-steps-annotated");
        QVERIFY(chooseInMenu(page().lanes(), inLane(2), "laneMenu",
            "Largest allocation at the peak of " + QString::fromStdString(step(2).name)));
        QCOMPARE(page().selection().cursor(), std::optional(step(2).peakEvent));
        const AllocationTable& table = page().analysis()->allocations;
        std::vector<AllocationIndex> live;
        page().analysis()->live.liveAt(step(2).peakEvent, live);
        QVERIFY(page().selection().isPinned() && !live.empty());
        for (const AllocationIndex other : live)
            QVERIFY(table.bytes(other) <= table.bytes(page().selection().pinned()));
    }

    void whatAStepLeftBehindIsShownInMoment()
    {
        openSample("fault-growth");
        QVERIFY(chooseInMenu(page().lanes(), inLane(2), "laneMenu",
            "What " + QString::fromStdString(step(2).name) + " left behind"));
        verifyShowsLeftBehind(2);
    }

    void aClickOnTheEndOfAStepShowsWhatItLeftBehind()
    {
        openSample("fault-growth");
        const QPoint end(qRound(timeline().area().toX(static_cast<double>(step(2).end))) - 4, inLane(2).y());
        QCOMPARE(page().lanes().tipAt(end), QStringLiteral("Click to show what this step left behind"));
        QTest::mouseClick(&page().lanes(), Qt::LeftButton, {}, end);
        verifyShowsLeftBehind(2);
    }

    void aClickOnTheCellShowsWhatTheStepLeftBehind()
    {
        openSample("fault-growth");
        page().panelTabs().open(QStringLiteral("steps"));
        QTableView& table = page().panelTabs().findChild<StepsView*>()->table();
        const auto& model = static_cast<const TableModel&>(*table.model());
        const QModelIndex cell = model.index(model.shownRow(2), model.column("left_behind_bytes"));
        table.scrollTo(cell);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
        verifyShowsLeftBehind(2);
    }

    void theChipNamesTheStepThatLeftThemBehind()
    {
        openSample("fault-growth");
        page().runOnStep(2, StepCommand::ShowLeftBehind);
        const auto* chip = timeline().findChild<HighlightChip*>();
        const QString name = "left behind by " + QString::fromStdString(step(2).name) + QStringLiteral(" · ");
        QTRY_VERIFY2(
            chip->text().startsWith(name) && !chip->text().contains("at the peak"), qPrintable(chip->text()));
    }

    void aBandIsPinnedFromItsMenu()
    {
        openSample("r1-grpo-before");
        const QPoint point = pointOnCode();
        const AllocationIndex there = allocationAt(point);
        QVERIFY(chooseInMenu(timeline(), point, "timelineMenu", "Pin this allocation"));
        QCOMPARE(page().selection().pinned(), there);
    }

    void theCallSiteOfABandIsHighlightedFromItsMenu()
    {
        openSample("r1-grpo-before");
        const QPoint point = pointOnCode();
        const CallSites& sites = page().analysis()->sites;
        const AllocationIndex there = allocationAt(point);
        QVERIFY(chooseInMenu(timeline(), point, "timelineMenu", "Highlight call site "));
        const auto& highlighted = page().bandView().highlighted();
        QVERIFY(highlighted);
        for (AllocationIndex i = 0; i < highlighted->size(); ++i)
            QCOMPARE(bool((*highlighted)[i]), sites.of(i) == sites.of(there));
    }

    void thePlaceOfABandIsCopiedWithItsPath()
    {
        openSample("r1-grpo-before");
        const QPoint point = pointOnCode();
        const QString place = placeOf(*page().analysis(), allocationAt(point));
        QVERIFY(chooseInMenu(timeline(), point, "timelineMenu", "Copy " + place.section('/', -1)));
        QCOMPARE(QGuiApplication::clipboard()->text(), place);
    }

    void theMomentOfABandIsShownAndStaysWhenTheMouseMoves()
    {
        openSample("r1-grpo-before");
        const QPoint point = pointOnCode();
        const std::int64_t event = timeline().eventAt(timeline().area().keyAt(point.x() + 0.5));
        QVERIFY(chooseInMenu(timeline(), point, "timelineMenu", "Show in Moment at this event"));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("moment"));
        moveMouse(timeline(), point + QPoint(50, 0), {});
        QCOMPARE(page().selection().cursor(), std::optional(event));
    }
};

HIGHWATER_APP_TEST(PointingTest)

} // namespace highwater::gui::test

#include "pointing_test.moc"
