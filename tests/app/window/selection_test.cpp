#include <QAction>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

#include "app/views/charts/legend_bar.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/window/pages/compare_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests of what sets the moment and the range that the views show, and of what Esc ends.
class SelectionTest : public WindowFixture
{
    Q_OBJECT

public:
    SelectionTest()
        : WindowFixture({1500, 900})
    {
    }

private:
    Selection& selection() { return page().selection(); }
    CompositionView& moment() { return *page().panelTabs().findChild<CompositionView*>(); }
    std::int64_t peak() { return page().analysis()->figures.peakEvent; }

    QPoint onAxis(double share) { return {onBand(share).x(), qRound(timeline().area().rect.bottom()) + 10}; }
    std::int64_t eventAt(const QPoint& point)
    {
        return timeline().eventAt(timeline().area().keyAt(point.x() + 0.5));
    }
    void pinOneBandAndHighlightAllOfThem()
    {
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        QVERIFY(selection().isPinned());
        page().bandView().setHighlighted(
            std::make_shared<const std::vector<bool>>(page().analysis()->allocations.size(), true));
    }
    void markFirstEvents() { selection().setRange(Selection::EventRange{10, 40}); }

private slots:
    void pointingAndClickingLeaveThePeakInAllViews()
    {
        openSample("training-6-steps-annotated");
        QTest::keyClick(&timeline(), Qt::Key_3);
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTRY_VERIFY(moment().heading().contains(", the peak: "));
        QTRY_VERIFY(timeline().isSettled());
        moveMouse(timeline(), onBand(0.2));
        QVERIFY(*selection().pointed() != peak());
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.2));
        QVERIFY(selection().isPinned());
        QCOMPARE(*selection().cursor(), peak());
        QVERIFY(moment().heading().contains(", the peak: "));
        QVERIFY(page().legend().heading().contains(eventText(peak())));
    }

    void aClickOnTheAxisSetsTheMomentAndKeepsThePin()
    {
        openSample("training-6-steps-annotated");
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        const AllocationIndex pinned = selection().pinned();
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onAxis(0.25));
        QCOMPARE(selection().cursor(), std::optional(eventAt(onAxis(0.25))));
        QCOMPARE(selection().pinned(), pinned);
        QVERIFY(page().range().isFit());
    }

    void aDragOnTheAxisMovesTheMomentAndNotTheView()
    {
        openSample("training-6-steps-annotated");
        QTest::mousePress(&timeline(), Qt::LeftButton, {}, onAxis(0.25));
        moveMouse(timeline(), onAxis(0.75), Qt::LeftButton);
        QTest::mouseRelease(&timeline(), Qt::LeftButton, {}, onAxis(0.75));
        QCOMPARE(selection().cursor(), std::optional(eventAt(onAxis(0.75))));
        QVERIFY(page().range().isFit());
        moveMouse(timeline(), onBand(0.1));
        QCOMPARE(selection().cursor(), std::optional(eventAt(onAxis(0.75))));
    }

    void aTipSaysWhatAClickOnTheAxisDoes()
    {
        openSample("training-6-steps-annotated");
        QHelpEvent help(QEvent::ToolTip, onAxis(0.25), timeline().mapToGlobal(onAxis(0.25)));
        QCoreApplication::sendEvent(&timeline(), &help);
        QCOMPARE(QToolTip::text(), QStringLiteral("Click or drag to set the moment that all views show"));
        QToolTip::hideText();
    }

    void aMatchOfTheSearchIsPinnedAndTheMomentStays()
    {
        openSample("training-6-steps-annotated");
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        auto* const field = page().search().findChild<QLineEdit*>("searchField");
        QTest::keyClicks(field, "size>=1MiB");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(selection().isPinned());
        QCOMPARE(*selection().cursor(), peak());
    }

    void escInAMenuGivesTheKeysBackToTheTimeline()
    {
        openSample("training-6-steps-annotated");
        QMenuBar& bar = *m_window->menuBar();
        QAction* const title = bar.actions().front();
        QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.actionGeometry(title).center());
        QTRY_VERIFY(title->menu()->isVisible());
        QTest::keyClick(title->menu(), Qt::Key_Escape);
        QVERIFY(!title->menu()->isVisible() && !bar.activeAction());
        QVERIFY(timeline().hasFocus());
        QTest::keyClick(&timeline(), Qt::Key_P);
        QCOMPARE(selection().cursor(), std::optional(peak()));
    }

    void theLargestAllocationAtThePeakIsACommand()
    {
        openSample("r1-grpo-before");
        selection().setCursor(7);
        m_window->actions().largestAtPeak->trigger();
        QCOMPARE(*selection().cursor(), peak());
        std::vector<AllocationIndex> live;
        page().analysis()->live.liveAt(peak(), live);
        const AllocationTable& allocations = page().analysis()->allocations;
        for (const AllocationIndex i : live)
            QVERIFY(allocations.bytes(i) <= allocations.bytes(selection().pinned()));
        m_window->actions().largest->trigger();
        for (AllocationIndex i = 0; i < allocations.size(); ++i)
            QVERIFY(allocations.bytes(i) <= allocations.bytes(selection().pinned()));
    }

    void zoomingKeepsTheRangeThatMomentShows()
    {
        openSample("training-6-steps-annotated");
        page().selectStep(2);
        QTest::keyClick(&timeline(), Qt::Key_3);
        moment().choose(MomentChoice::Survived);
        const QString start = "Left behind by " + toQString(page().analysis()->steps.steps[2].name) + ", ";
        QTRY_VERIFY2(moment().heading().startsWith(start), qPrintable(moment().heading()));
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_W);
        QTRY_VERIFY(page().isSettled());
        QVERIFY2(moment().heading().startsWith(start), qPrintable(moment().heading()));
    }

    void escEndsTheRowThenTheStep_andMomentLegendAndDetailsAgree()
    {
        openSample("r1-grpo-before");
        page().runOnStep(3, StepCommand::ShowLeftBehind);
        QTRY_VERIFY2(moment().heading().startsWith("Left behind by step 3"), qPrintable(moment().heading()));
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!page().bandView().highlighted());
        QCOMPARE(selection().step(), std::optional<std::size_t>(3));
        QVERIFY(moment().heading().startsWith("Left behind by step 3"));
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QCOMPARE(selection().kind(), Selection::Kind::Nothing);
        QTRY_VERIFY2(moment().heading().contains(", out of memory: "), qPrintable(moment().heading()));
        QVERIFY2(page().legend().heading().startsWith("When memory ran out: "),
            qPrintable(page().legend().heading()));
    }

    void oneEscEndsOneThingTheInnermostFirst()
    {
        openSample("training-6-steps-annotated");
        selection().setCursor(100);
        markFirstEvents();
        pinOneBandAndHighlightAllOfThem();
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!page().bandView().highlighted() && selection().isPinned());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!selection().isPinned() && selection().range());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!selection().range());
        QCOMPARE(selection().cursor(), std::optional<std::int64_t>(100));
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!selection().cursor());
    }

    void escSaysWhatIsLeft()
    {
        openSample("training-6-steps-annotated");
        pinOneBandAndHighlightAllOfThem();
        auto* const field = page().search().findChild<QLineEdit*>("searchField");
        field->setText("size>=1MiB");
        QTRY_VERIFY(page().search().findChild<QToolButton*>("searchNext")->isEnabled());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QCOMPARE(m_window->statusBar()->currentMessage(), QString());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QCOMPARE(m_window->statusBar()->currentMessage(), QStringLiteral("Esc again ends the search"));
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QCOMPARE(m_window->statusBar()->currentMessage(), QString());
        QCOMPARE(page().cursorText(), QString());
    }

    void fittingNothingSaysWhatToSelect()
    {
        openSample("training-6-steps-annotated");
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QTest::keyClick(&timeline(), Qt::Key_F);
        QVERIFY(m_window->statusBar()->currentMessage().startsWith("Nothing to fit"));
        QVERIFY(page().range().isFit());
    }

    void escInTheSearchEndsOnlyTheSearch()
    {
        openSample("training-6-steps-annotated");
        pinOneBandAndHighlightAllOfThem();
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        auto* const field = page().search().findChild<QLineEdit*>("searchField");
        QTest::keyClicks(field, "forward");
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(field->text().isEmpty());
        QVERIFY(selection().isPinned() && page().bandView().highlighted());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!page().bandView().highlighted());
    }

    void escInMomentEndsThePinToo()
    {
        openSample("training-6-steps-annotated");
        QTest::keyClick(&timeline(), Qt::Key_3);
        pinOneBandAndHighlightAllOfThem();
        moment().page(CompositionView::Way::Table).setFocus();
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!selection().isPinned() && !page().bandView().highlighted());
    }

    void escEndsTheRowThenTheRangeThenTheTwoSteps()
    {
        openSample("training-6-steps-annotated");
        emit page().stepsCompared(1, 4);
        ComparePage& compare = m_window->pages().compare;
        QTRY_VERIFY(isOn(compare) && compare.state().diff());
        Selection& before = compare.timelines().selection(LinkedTimelines::Before);
        compare.state().selectRows({0});
        before.pin(0);
        before.setRange(Selection::EventRange{10, 40});
        TimelinePlot& plot = compare.timelines().plot(LinkedTimelines::Before);
        plot.setFocus();
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!before.isPinned() && compare.state().selectedRows().empty());
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!before.range() && isOn(compare));
        QTest::keyClick(&plot, Qt::Key_Escape);
        QTRY_VERIFY(isOn(page()));
    }
};

HIGHWATER_APP_TEST(SelectionTest)

} // namespace highwater::gui::test

#include "selection_test.moc"
