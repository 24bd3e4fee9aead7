#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include "app/views/findings/findings_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/moment/moment_table_page.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/views/report/report_view.h"
#include "app/views/steps/steps_view.h"
#include "app/window/commands/note_commands.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests that a click does what it says and nothing else, and that typing needs no more room than there is.
class ClicksAndRoomTest : public WindowFixture
{
    Q_OBJECT

private:
    CompositionView& moment() { return *page().panelTabs().findChild<CompositionView*>(); }

    void open(const QString& path, const QSize& size = {1280, 800})
    {
        m_window->resize(size);
        openPath(path);
    }
    void openR1() { open(samplePath(QStringLiteral("r1-grpo-before"))); }

private slots:
    void theSearchKeepsKeyboardAndWidthWhileOneTypes_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280") << QSize(1280, 800);
        QTest::newRow("half a screen") << QSize(960, 1040);
    }
    void theSearchKeepsKeyboardAndWidthWhileOneTypes()
    {
        QFETCH(QSize, size);
        open(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks"), size);
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        auto* const field = page().search().findChild<QLineEdit*>(QStringLiteral("searchField"));
        QVERIFY(field->isVisible() && field->hasFocus());
        const int width = field->width();
        for (const char letter : {'a', 't', 't', 'e', 'n', 't', 'i', 'o', 'n'}) {
            QTest::keyClick(m_window->focusWidget(), letter);
            QTest::qWait(20);
            QVERIFY(field->isVisible() && field->hasFocus());
            QCOMPARE(field->width(), width);
        }
        QCOMPARE(field->text(), QStringLiteral("attention"));
        QVERIFY(field->width() - field->textMargins().right() >= SearchBar::kLeastText);
        QCOMPARE(m_window->notes().list().size(), 0);
    }

    void theDetailsLeaveTheEndOfTheTimelineFree()
    {
        openR1();
        const QRectF rect = timeline().area().rect;
        QTest::mouseClick(
            &timeline(), Qt::LeftButton, {}, {qRound(rect.center().x()), qRound(rect.bottom()) - 3});
        QVERIFY(page().selection().isPinned());
        QTRY_VERIFY(page().side().isVisible());
        const auto placed
            = [](const QWidget& widget) { return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size()); };
        QVERIFY(!placed(page().side()).intersects(placed(timeline())));
        QVERIFY(page().range().x().isWhole());
    }

    void theDetailsFoldBesideATableInThePlaceOfThePlotUntilSomethingIsPinnedThere()
    {
        openR1();
        page().goToLargestAtPeak();
        page().panelTabs().open(QStringLiteral("steps"));
        page().panelTabs().setExtent(PanelTabs::Extent::Expanded);
        QVERIFY(!page().side().isVisible());
        page().goToLargest();
        QVERIFY(page().side().isVisible());
        page().panelTabs().setExtent(PanelTabs::Extent::Shared);
        page().panelTabs().setExtent(PanelTabs::Extent::Expanded);
        QVERIFY(!page().side().isVisible() && !m_window->actions().details->isChecked());
        m_window->actions().details->trigger();
        QVERIFY(page().side().isVisible());
        page().panelTabs().setExtent(PanelTabs::Extent::Shared);
        QVERIFY(page().side().isVisible());
    }

    void theDetailsStayBesideMomentInThePlaceOfThePlot()
    {
        openR1();
        page().panelTabs().open(QStringLiteral("moment"));
        page().panelTabs().setExtent(PanelTabs::Extent::Expanded);
        QVERIFY(page().side().isVisible());
    }

    void theDetailsFoldBesideTheReport()
    {
        openR1();
        m_window->actions().report->trigger();
        QTRY_VERIFY(isInFront(m_window->pages().report));
        QVERIFY(!page().side().isVisible());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(page().isVisible());
        QVERIFY(page().side().isVisible());
    }

    void theTitleSaysThatTheGpuWasSimulated()
    {
        openR1();
        QVERIFY(!m_window->windowTitle().contains(QStringLiteral("rehearsed")));
        openPath(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/rehearsed/r5-flan-t5-xl-kept.pickle.zst"));
        QTRY_VERIFY2(m_window->windowTitle().startsWith(
                         QStringLiteral("r5-flan-t5-xl-kept.pickle.zst (rehearsed on a simulated ")),
            qPrintable(m_window->windowTitle()));
    }

    void aRowInStepsPlacesTheCursorAndPinsNothing()
    {
        openR1();
        page().panelTabs().open(QStringLiteral("steps"));
        QTableView& table = page().panelTabs().findChild<StepsView*>()->table();
        const QModelIndex row = table.model()->index(6, 0);
        table.scrollTo(row);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(row).center());
        QCOMPARE(page().selection().cursor(), std::optional(page().analysis()->steps.steps[6].peakEvent));
        QVERIFY(!page().selection().isPinned());
    }

    void theKeyOfMomentLeavesTheNextKeyToTheWindow()
    {
        openR1();
        QTest::keyClick(&timeline(), Qt::Key_3);
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("moment"));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_4);
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("segments"));
    }

    void anOpenedTabFocusesNoControlAndHomeShowsEverything()
    {
        openR1();
        page().panelTabs().open(QStringLiteral("moment"));
        auto* const group = page().panelTabs().findChild<QComboBox*>(QStringLiteral("momentGroup"));
        QTRY_VERIFY(group->isVisible() && group->isEnabled());
        group->setFocus();
        page().panelTabs().open(QStringLiteral("budget"));
        QTRY_COMPARE(page().panelTabs().openName(), QStringLiteral("budget"));
        QTabBar& tabs = *page().panelTabs().tabBar();
        QVERIFY(tabs.hasFocus());
        page().zoom(0.25);
        QTest::keyClick(&tabs, Qt::Key_Home);
        QTRY_VERIFY(page().range().x().isWhole());
    }

    void theHoverCardGoesWhileOneTypes()
    {
        openR1();
        timeline().setFocus();
        moveMouse(timeline(), onBand(0.5));
        QVERIFY(page().selection().hovered() != Selection::kNone);
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        QCOMPARE(page().selection().hovered(), Selection::kNone);
    }

    void aClickInALaneGivesTheKeysToTheTimeline()
    {
        openR1();
        page().panelTabs().tabBar()->setFocus();
        clickStep(6);
        QVERIFY(timeline().hasFocus());
    }

    void aClickOnAnAllocationInMomentLeavesTheMoment()
    {
        openR1();
        QTest::keyClick(&timeline(), Qt::Key_P);
        page().panelTabs().open(QStringLiteral("moment"));
        MomentOptions options = moment().options();
        options.group = GroupKey::Allocation;
        moment().setOptions(options);
        QTableView& rows = static_cast<MomentTablePage&>(moment().page(CompositionView::Way::Table)).table();
        QTRY_VERIFY(moment().isSettled() && rows.model()->rowCount() > 3);
        const QString heading = moment().heading();
        const QPoint at = rows.visualRect(rows.model()->index(1, 0)).center();
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(rows.viewport(), Qt::LeftButton, {}, at);
        QTRY_VERIFY(page().isSettled());
        QVERIFY(page().selection().isPinned());
        QCOMPARE(moment().heading(), heading);
    }

    void showBringsTheTimelineBack()
    {
        openR1();
        page().panelTabs().open(QStringLiteral("summary"));
        page().panelTabs().setExtent(PanelTabs::Extent::Expanded);
        QVERIFY(!timeline().isVisible());
        page().findings().showFinding(0);
        QTRY_VERIFY(timeline().isVisible());
    }

    void showOfTheLeakLightsMoreThanOneCallSite()
    {
        openR1();
        const std::vector<Finding>& findings = page().run().study()->findings();
        const auto leak = std::ranges::find(findings, "growth", &Finding::rule);
        QVERIFY(leak != findings.end());
        page().panelTabs().open(QStringLiteral("summary"));
        page().findings().showFinding(static_cast<std::size_t>(leak - findings.begin()));
        const BandView::Highlight lit = page().bandView().highlighted();
        QVERIFY(lit);
        Bytes atEvent = 0;
        for (AllocationIndex i = 0; i < lit->size(); ++i)
            if ((*lit)[i] && page().analysis()->allocations.isLiveAt(i, leak->event))
                atEvent += page().analysis()->allocations.bytes(i);
        QVERIFY(atEvent >= leak->bytes * 9 / 10);
    }
};

HIGHWATER_APP_TEST(ClicksAndRoomTest)

} // namespace highwater::gui::test

#include "clicks_and_room_test.moc"
