#include <QAction>
#include <QScrollBar>
#include <QTest>

#include "app/views/parts/panel_tabs.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/note_commands.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// While the report is visible it receives all keys, and nothing moves on the page behind it.
class ReportKeysTest : public WindowFixture
{
    Q_OBJECT

public:
    ReportKeysTest()
        : WindowFixture({1200, 700})
    {
    }

private:
    ReportView& view() { return m_window->pages().report; }

    /// Opens the report of a run with the cursor at this event.
    void openReport(std::int64_t event = 100)
    {
        m_window->openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(isOn(m_window->page()) && m_window->page().isSettled());
        m_window->page().goTo(event);
        m_window->actions().report->trigger();
        QTRY_VERIFY(view().session().report() && view().isSettled());
    }

private slots:
    void keysActOnTheReportAndNotOnTheTimelineBehindIt()
    {
        openReport();
        QVERIFY(view().preview().hasFocus());
        DocumentPage& page = m_window->page();
        const AxisWindow before = page.range().x();
        const std::optional<std::int64_t> cursor = page.selection().cursor();
        const QString tab = page.panelTabs().openName();
        const auto press = [&](int key, Qt::KeyboardModifiers with = {}) {
            QTest::keyClick(m_window->focusWidget(), static_cast<Qt::Key>(key), with);
        };
        for (const int key : {Qt::Key_H, Qt::Key_P, Qt::Key_O, Qt::Key_BracketLeft, Qt::Key_BracketRight,
                 Qt::Key_Left, Qt::Key_Right, Qt::Key_D, Qt::Key_2, Qt::Key_Slash, Qt::Key_F3})
            press(key);
        press(Qt::Key_F, Qt::ControlModifier);
        press(Qt::Key_G, Qt::ControlModifier);
        press(Qt::Key_Left, Qt::AltModifier);
        QVERIFY(isInFront(view()) && view().preview().hasFocus());

        QScrollBar& bar = *view().preview().verticalScrollBar();
        QCOMPARE(bar.value(), 0);
        press(Qt::Key_PageDown);
        QVERIFY(bar.value() > 0);
        press(Qt::Key_Home, Qt::ControlModifier);
        press(Qt::Key_Down);
        QVERIFY(bar.value() > 0);
        press(Qt::Key_Plus);
        QVERIFY(view().preview().zoom() > 1);
        press(Qt::Key_0);
        QCOMPARE(view().preview().zoom(), 1.0);
        press(Qt::Key_Minus);
        QVERIFY(view().preview().zoom() < 1);

        QCOMPARE(page.range().x().begin, before.begin);
        QCOMPARE(page.range().x().end, before.end);
        QCOMPARE(page.selection().cursor(), cursor);
        QCOMPARE(page.panelTabs().openName(), tab);
    }

    void aNoteInTheReportIsOfTheRunAndNotOfTheHiddenCursor()
    {
        openReport(5);
        QTest::keyClick(m_window->focusWidget(), Qt::Key_N);
        const Notes& notes = m_window->notes().list().notes();
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(std::holds_alternative<std::monostate>(notes[0].place));
        Note elsewhere;
        elsewhere.title = "there";
        elsewhere.place = NotedMoment{9'000};
        m_window->notes().list().add(elsewhere);
        m_window->notes().previous->trigger();
        QCOMPARE(*m_window->page().selection().cursor(), std::int64_t{5}); // nothing moves while it is hidden
        QVERIFY(isInFront(view()));
    }
};

HIGHWATER_APP_TEST(ReportKeysTest)

} // namespace highwater::gui::test

#include "report_keys_test.moc"
