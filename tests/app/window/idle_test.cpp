#include <array>

#include <QEvent>
#include <QTest>

#include "app/views/parts/panel_tabs.h"
#include "app/window/commands/report_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Counts the layouts and pictures that the window asks for.
class EventCounter : public QObject
{
public:
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::UpdateRequest)
            ++count;
        return false;
    }
};

/// Tests that a window at which nobody moves the mouse does nothing: work that asks for itself again keeps a
/// processor busy for as long as the window is open.
class IdleTest : public QObject
{
    Q_OBJECT

private:
    static constexpr int kRounds = 200; // a settling window needs some twenty

    bool comesToRest() const
    {
        EventCounter counter;
        qApp->installEventFilter(&counter);
        int quietRounds = 0;
        for (int round = 0; round < kRounds && quietRounds < 20; ++round) {
            counter.count = 0;
            QTest::qWait(1); // lets threads and short timers end; the bound is in rounds, not in time
            quietRounds = counter.count == 0 ? quietRounds + 1 : 0;
        }
        return quietRounds == 20;
    }

private slots:
    void anOpenWindowComesToRest_data()
    {
        QTest::addColumn<QStringList>("samples");
        QTest::addColumn<int>("width");
        for (const int width : {960, 1280, 1920}) {
            QTest::addRow("start page, %d", width) << QStringList() << width;
            QTest::addRow("run, %d", width) << QStringList{QStringLiteral("r1-grpo-before")} << width;
            QTest::addRow("pair, %d", width)
                << QStringList{QStringLiteral("r1-grpo-before"), QStringLiteral("r1-grpo-after")} << width;
        }
    }
    void anOpenWindowComesToRest()
    {
        QFETCH(const QStringList, samples);
        QFETCH(const int, width);
        MainWindow window(false);
        window.resize(width, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        if (samples.size() == 2) {
            window.compareFiles(samplePath(samples[0]), samplePath(samples[1]));
            QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        } else if (samples.size() == 1) {
            window.openFile(samplePath(samples[0]));
            QTRY_VERIFY(
                isOn(window.page()) && window.page().run().study() && window.page().timeline().isSettled());
        }

        QVERIFY(comesToRest());
    }
    void aLogComesToRest()
    {
        MainWindow window(false);
        window.resize(1280, 800);
        window.show();
        window.openFile(logPath(QStringLiteral("two-ranks-oom.log")));
        QTRY_VERIFY(window.windowTitle().contains(QStringLiteral("two-ranks-oom")));
        QVERIFY(comesToRest());
    }
    void everyViewComesToRest()
    {
        MainWindow window(false);
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(isOn(window.page()) && window.page().run().study());
        PanelTabs& views = window.page().panelTabs();
        for (int view = 0; view < views.count(); ++view) {
            views.setCurrentIndex(view);
            QVERIFY2(comesToRest(), qPrintable(views.tabText(view)));
        }
        window.report().show();
        QVERIFY2(comesToRest(), "Report");
    }
};

HIGHWATER_APP_TEST(IdleTest)

} // namespace highwater::gui::test

#include "idle_test.moc"
