#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>
#include <QWindow>

#include "app/views/findings/findings_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/report/report_view.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/steps/step_chart.h"
#include "app/views/steps/steps_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/control_walk.h"

namespace highwater::gui::test {

/// Performs the window's main tasks without a mouse. Keys go only to the widget that has the focus.
class KeyboardTasksTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<QTemporaryDir> m_folder;

    DocumentPage& page() { return m_window->page(); }

    /// Returns the widget that has the focus. A desktop returns the focus to the window when a dialog has
    /// ended; here this function does.
    QWidget* focus()
    {
        if (!QApplication::focusWidget() && !QApplication::activeModalWidget()) {
            m_window->activateWindow();
            [[maybe_unused]] const bool isActive = QTest::qWaitForWindowActive(m_window.get());
        }
        return QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(focus(), static_cast<Qt::Key>(key), modifiers);
    }
    void type(const QString& text) { QTest::keyClicks(focus(), text); }
    /// Types each text into the next dialog that opens, and ends the dialog with Enter.
    void whenDialogsType(QStringList texts)
    {
        auto* timer = new QTimer(this);
        timer->setInterval(10);
        connect(timer, &QTimer::timeout, this, [this, timer, texts, last = QPointer<QWidget>()]() mutable {
            QWidget* const dialog = QApplication::activeModalWidget();
            QWidget* const focus = QApplication::focusWidget();
            if (!dialog || dialog == last || !focus || focus->window() != dialog)
                return;
            last = dialog;
            const QString text = texts.takeFirst();
            if (texts.isEmpty()) {
                timer->stop();
                timer->deleteLater();
            }
            type(text);
            press(Qt::Key_Return); // returns when everything that it triggers has finished
        });
        timer->start();
    }
    void open(const QString& sample)
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        whenDialogsType({samplePath(sample)});
        press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(complete.count() == 1 || complete.wait(20'000));
        QCOMPARE(complete[0][0].toString(), QString());
        QTRY_VERIFY(page().isSettled());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<MainWindow>(true);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void aFileIsOpenedAndItsFindingRead()
    {
        open("r1-grpo-before");
        focus();
        QTreeWidget& findings = page().findings().list();
        QVERIFY(tabTo(findings));
        press(Qt::Key_Down);
        press(Qt::Key_Home);
        const QModelIndex first = findings.currentIndex();
        QVERIFY(first.isValid());
        QString read;
        for (int column = 0; column < findings.columnCount(); ++column)
            read += first.siblingAtColumn(column).data(Qt::AccessibleTextRole).toString()
                + first.siblingAtColumn(column).data().toString() + ' ';
        QVERIFY2(read.contains("Memory leaks 1.07 GiB per step"), qPrintable(read));
    }

    void theLargestAllocationAtAStepsPeakIsNamed()
    {
        open("training-6-steps-bare");
        press(Qt::Key_2);
        QTableView& steps = page().panelTabs().findChild<StepsView*>()->table();
        QVERIFY(tabTo(steps));
        press(Qt::Key_Home, Qt::ControlModifier);
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        const auto step = page().panelTabs().findChild<StepsView*>()->selectedStep();
        QVERIFY(step);
        press(Qt::Key_3);
        auto* moment = page().panelTabs().findChild<CompositionView*>();
        QTRY_VERIFY(moment->isVisible() && moment->isSettled());
        auto* group = moment->findChild<QComboBox*>("momentGroup");
        QVERIFY(group && tabTo(*group));
        press(Qt::Key_End);
        QTRY_VERIFY(moment->isSettled());
        auto* table = moment->findChild<QTableView*>("momentTable");
        QVERIFY(tabTo(*table));
        press(Qt::Key_Home, Qt::ControlModifier);
        press(Qt::Key_Return);
        QTRY_VERIFY(page().selection().isPinned());
        const auto& analysis = *page().analysis();
        const AllocationIndex shown = page().selection().shown();
        std::vector<AllocationIndex> live;
        analysis.live.liveAt(analysis.steps.steps[*step].peakEvent, live);
        QVERIFY(!live.empty());
        Bytes largest = 0;
        for (const AllocationIndex i : live)
            largest = std::max(largest, analysis.allocations.bytes(i));
        QCOMPARE(analysis.allocations.bytes(shown), largest);
    }

    void twoRunsAreCompared()
    {
        open("r1-grpo-before");
        // Runs a command by its name, and enters the file that it asks for.
        whenDialogsType({"later run", samplePath("r1-grpo-after")});
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(isOn(m_window->pages().compare));
        QTRY_VERIFY(m_window->pages().compare.state().diff());
        QCOMPARE(m_window->pages().compare.state().diff()->diff.delta(), Bytes{24322085344 - 24287511136});
    }

    void theArrowsChangeTheMenuAndNotTheView()
    {
        open("r1-grpo-before");
        page().zoom(0.25);
        const double begin = page().range().x().begin;
        const auto title = [] {
            const auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            return menu ? menu->title() : QString();
        };
        press(Qt::Key_V, Qt::AltModifier);
        QCOMPARE(title(), QStringLiteral("&View"));
        QTest::keyClick(m_window->windowHandle(), Qt::Key_Right); // as the desktop sends it
        QCOMPARE(title(), QStringLiteral("&Go"));
        QTest::keyClick(m_window->windowHandle(), Qt::Key_Left);
        QCOMPARE(title(), QStringLiteral("&View"));
        QCOMPARE(page().range().x().begin, begin);
        QTest::keyClick(m_window->windowHandle(), Qt::Key_Escape);
    }

    void aKeyChoosesInAnOpenList_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::newRow("Return") << Qt::Key_Return;
        QTest::newRow("Enter") << Qt::Key_Enter;
        QTest::newRow("Space") << Qt::Key_Space;
    }

    void aKeyChoosesInAnOpenList()
    {
        QFETCH(Qt::Key, key);
        open("r1-grpo-before");
        press(Qt::Key_3);
        auto* moment = page().panelTabs().findChild<CompositionView*>();
        QTRY_VERIFY(moment->isVisible() && moment->isSettled());
        auto* ways = moment->findChild<QComboBox*>("momentWay");
        const double begin = page().range().x().begin;
        QVERIFY(ways && tabTo(*ways));
        press(Qt::Key_Space);
        QTRY_VERIFY(ways->view()->isVisible());
        for (const Qt::Key pressed : {Qt::Key_Down, key})
            QTest::keyClick(QGuiApplication::focusWindow(), pressed); // as the desktop sends it
        QTRY_VERIFY(!ways->view()->isVisible());
        QCOMPARE(moment->way(), CompositionView::Way::TopDown);
        QCOMPARE(page().range().x().begin, begin);
    }

    void theArrowsWalkThroughAChartAndNotTheTimeline()
    {
        open("r1-grpo-before");
        page().zoom(0.25);
        page().panelTabs().open(QStringLiteral("steps"));
        QTRY_VERIFY(page().isSettled());
        StepChart& chart = page().panelTabs().findChild<StepsView*>()->chart();
        chart.setFocus();
        const double begin = page().range().x().begin;
        QSignalSpy walked(&chart, &FigureView::walked);
        press(Qt::Key_Right);
        QCOMPARE(walked.count(), 1);
        QCOMPARE(page().range().x().begin, begin);
    }

    void arrowsAndLettersInATableLeaveTheTimeline()
    {
        open("r1-grpo-before");
        page().zoom(0.25);
        page().panelTabs().open(QStringLiteral("steps"));
        QTRY_VERIFY(page().isSettled());
        QTableView& steps = page().panelTabs().findChild<StepsView*>()->table();
        steps.setCurrentIndex(steps.model()->index(0, 0)); // shows its step
        steps.setFocus();
        const double begin = page().range().x().begin;
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Left, Qt::Key_D, Qt::Key_A}) {
            press(key);
            QCOMPARE(page().range().x().begin, begin);
        }
    }

    void aNoteIsAddedAndTakenBack()
    {
        open("r1-grpo-before");
        press(Qt::Key_P);
        press(Qt::Key_N);
        type("the peak of the run");
        press(Qt::Key_Tab);
        type("It grows until it is full.");
        QCOMPARE(m_window->notes().list().size(), 1);
        QCOMPARE(m_window->notes().list().notes()[0].title, std::string("the peak of the run"));
        QCOMPARE(m_window->notes().list().notes()[0].text, std::string("It grows until it is full."));
        while (m_window->notes().list().size() > 0) {
            const int before = m_window->notes().list().undoStack().index();
            press(Qt::Key_Z, Qt::ControlModifier);
            QVERIFY(m_window->notes().list().undoStack().index() < before);
        }
    }

    void aReportIsExported()
    {
        open("training-6-steps-bare");
        press(Qt::Key_R, Qt::ControlModifier);
        ReportView& report = m_window->pages().report;
        QTRY_VERIFY(report.isVisible() && report.isSettled() && report.session().report());
        const QString path = m_folder->filePath("incident.html");
        QSignalSpy saved(&report, &ReportView::saved);
        whenDialogsType({path});
        press(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(saved.count() == 1 || saved.wait(20'000));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("training-6-steps-bare"));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!report.isVisible());
    }
};

HIGHWATER_APP_TEST(KeyboardTasksTest)

} // namespace highwater::gui::test

#include "keyboard_tasks_test.moc"
