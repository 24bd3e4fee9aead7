#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "app/timeline/lane_strip.h"
#include "app/views/parts/search_bar.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/views/side_panel/stack_view.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of how the parts of a page work together.
class PageTest : public QObject
{
    Q_OBJECT

private:
    DocumentLoader m_loader;
    RunSession m_session{m_loader};
    std::unique_ptr<QWidget> m_window;
    DocumentPage* m_page = nullptr;

    void show(const QString& sample)
    {
        m_page->show(loadSample(sample));
        // The lanes appear a little later, and only then has the plot its final height.
        QTRY_VERIFY(m_page->lanes().lanes());
        QTRY_VERIFY(m_page->timeline().isSettled());
    }

    QPoint at(double key)
    {
        const PlotArea area = m_page->timeline().area();
        return QPointF(area.toX(key), area.rect.center().y()).toPoint();
    }

    /// Sends the event directly to the widget, so that the position of the desktop's pointer does not matter.
    void sendMouse(QEvent::Type type, const QPoint& where, Qt::MouseButton button)
    {
        QWidget& plot = m_page->timeline();
        const Qt::MouseButtons down = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, where, plot.mapToGlobal(QPointF(where)), button, down, Qt::ShiftModifier);
        QCoreApplication::sendEvent(&plot, &event);
    }

    void mark(double from, double to)
    {
        sendMouse(QEvent::MouseButtonPress, at(from), Qt::LeftButton);
        sendMouse(QEvent::MouseMove, at(to), Qt::NoButton);
        sendMouse(QEvent::MouseButtonRelease, at(to), Qt::LeftButton);
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<QWidget>();
        m_page = new DocumentPage(m_session, m_window.get());
        auto* layout = new QHBoxLayout(m_window.get());
        layout->addWidget(m_page, 1);
        layout->addWidget(&m_page->search());
        m_window->resize(1400, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void draggingWithShiftMarksARangeAndLeavesTheViewAlone()
    {
        show("tiny-hand-checked");
        mark(3.5, 10.5);
        QVERIFY(m_page->range().isFit());
        QVERIFY(m_page->selection().range());
        QCOMPARE(*m_page->selection().range(), (Selection::EventRange{3, 11}));
        QTRY_VERIFY(m_page->rangePanel().figures());
        QVERIFY(m_page->rangePanel().isVisible());
        const RangeFigures& figures = *m_page->rangePanel().figures();
        QCOMPARE(figures.atBegin.bytes, Bytes{4194304});
        QCOMPARE(figures.born.count, std::int64_t{5});
        QCOMPARE(figures.atBegin.bytes + figures.born.bytes - figures.freed.bytes, figures.atEnd.bytes);
        QCOMPARE(figures.atEnd.bytes, Bytes{23069672});
    }

    void escapeLetsGoOfOneThingAtATimeTheNewestFirst()
    {
        show("tiny-hand-checked");
        mark(3.5, 10.5);
        m_page->goTo(std::int64_t{10});
        QVERIFY(m_page->selection().isPinned());
        m_page->release();
        QVERIFY(!m_page->selection().isPinned());
        m_page->release();
        QVERIFY(!m_page->selection().cursor()); // chosen after the range
        QVERIFY(m_page->selection().range());
        m_page->release();
        QVERIFY(!m_page->selection().range());
        QVERIFY(!m_page->rangePanel().isVisible());
    }

    void theRangeIsForgottenWithTheFile()
    {
        show("tiny-hand-checked");
        mark(3.5, 10.5);
        show("two-devices");
        QVERIFY(!m_page->selection().range());
        QVERIFY(!m_page->rangePanel().isVisible());
    }

    void whatIsAliveNowFollowsTheCursorAlsoOnOneAllocation()
    {
        show("tiny-hand-checked");
        const AllocationIndex first = m_page->analysis()->allocations.ofEvent(1);
        const auto saysEvent
            = [this](const QString& event) { return m_page->details().text().contains("after " + event); };
        m_page->selection().setCursor(3);
        m_page->selection().hover(first);
        QTRY_VERIFY(saysEvent("event 3"));
        m_page->selection().setCursor(9);
        QTRY_VERIFY(saysEvent("event 9"));
    }

    void aMatchOfTheSearchIsShownAndPinned()
    {
        show("training-6-steps-bare");
        auto* field = m_page->search().findChild<QLineEdit*>();
        QVERIFY(field);
        QTest::keyClicks(field, "size>=32MiB");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(m_page->selection().isPinned());
        const AllocationIndex pinned = m_page->selection().pinned();
        QVERIFY(m_page->analysis()->allocations.bytes(pinned) >= 32 * kMiB);
        const double birth = m_page->analysis()->allocations.birth(pinned);
        QVERIFY(m_page->range().x().begin <= birth && birth < m_page->range().x().end);
    }

    void aClickOnAnAnnotationMarksItAndADoubleOneFillsTheViewWithIt()
    {
        show("user-annotated-phases");
        QTRY_VERIFY(m_page->lanes().lanes());
        QSignalSpy zoomed(&m_page->lanes(), &LaneStrip::zoomTo);
        const std::vector<LaneRow>& rows = m_page->lanes().lanes()->rows;
        const auto annotations = std::ranges::find(rows, LaneKind::Annotations, &LaneRow::kind);
        const QRect row = m_page->lanes().rowRect(static_cast<std::size_t>(annotations - rows.begin()));
        const QPoint at(m_page->lanes().width() / 2, row.center().y());
        QTest::mouseClick(&m_page->lanes(), Qt::LeftButton, {}, at);
        QVERIFY(m_page->selection().range());
        QVERIFY(m_page->range().x().isWhole());
        QTest::mouseDClick(&m_page->lanes(), Qt::LeftButton, {}, at);
        QCOMPARE(zoomed.count(), 1);
        QCOMPARE(zoomed.at(0).at(0).toLongLong(), qint64{m_page->selection().range()->first});
        const EventScale scale(*m_page->analysis()->trace, m_page->analysis()->device, AxisKind::Event);
        QCOMPARE(m_page->range().x().begin, scale.positionOf(zoomed.at(0).at(0).toLongLong()));
    }

    void aTimeTypedIsWhereItGoes()
    {
        show("training-6-steps-bare");
        const auto targets = parseGoTo("event 1,500", *m_page->analysis(), std::nullopt);
        QVERIFY(targets.has_value());
        m_page->goTo(targets->front());
        QCOMPARE(m_page->selection().cursor(), std::optional<std::int64_t>(1500));
    }

    void allocationsThroughAFrameAreHighlighted()
    {
        show("tiny-hand-checked");
        m_page->selection().pin(m_page->analysis()->allocations.ofEvent(1));
        auto* stack = m_page->details().findChild<StackView*>("stack");
        QTRY_VERIFY(stack->isVisible());
        QTRY_VERIFY(stack->topLevelItemCount() > 0);
        auto* highlight = stack->findChild<QAction*>("highlightFrame");
        for (int row = 0; row < stack->topLevelItemCount() && !highlight->isEnabled(); ++row)
            stack->setCurrentItem(stack->topLevelItem(row));
        QVERIFY(highlight->isEnabled());
        highlight->trigger();
        QTRY_VERIFY(m_page->bandView().emphasis());
        QVERIFY((*m_page->bandView().emphasis())[m_page->selection().pinned()]);
    }
};

HIGHWATER_APP_TEST(PageTest)

} // namespace highwater::gui::test

#include "page_test.moc"
