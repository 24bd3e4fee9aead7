#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "app/views/compare/compare_header.h"
#include "app/views/compare/log_compare_view.h"
#include "app/views/parts/figure_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the comparison of two logs in the window.
class LogCompareTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    LogCompareView* m_view = nullptr;

    void compare(const char* before, const char* after)
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->compareFiles(logPath(before), logPath(after));
        QTRY_COMPARE(complete.size(), 1);
        QCOMPARE(complete[0][0].toString(), QString());
        QVERIFY(isOn(m_window->pages().logCompare));
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1400, 900);
        m_window->show();
        m_view = &m_window->pages().logCompare;
        compare("r4-verl-before.err", "r4-verl-after.err");
    }
    void cleanup() { m_window.reset(); }

    void theHeaderSaysWhetherThePeakMoved()
    {
        const QString text = textIn(m_view->header());
        QVERIFY2(text.contains(QStringLiteral("69.48 GiB → 44.87 GiB")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("−24.61 GiB (−35%)")));
        QVERIFY(text.contains(QStringLiteral("The peak fell by 24.61 GiB")));
        QCOMPARE(
            m_window->windowTitle(), QStringLiteral("r4-verl-before.err ↔ r4-verl-after.err — Highwater"));
    }

    void theSeriesThatBothHaveStandInATable()
    {
        const QAbstractItemModel& model = *m_view->series().model();
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("perf/max_memory_allocated_gb"));
        QCOMPARE(model.index(0, 2).data(Qt::ToolTipRole).toString(), QStringLiteral("74,604,655,673 B"));
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("−24.61 GiB"));
        QVERIFY(model.index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    }

    void theSettingsThatDifferAndTheMessagesAreTold()
    {
        QCOMPARE(m_view->settings().model()->rowCount(), 5);
        QCOMPARE(m_view->settings().model()->index(4, 2).data().toString(), QStringLiteral("512"));
        QVERIFY(m_view->findChild<QLabel*>("logCompareFailures")
                    ->text()
                    .contains(QStringLiteral("17.66 GiB requested")));
        QVERIFY(m_view->findChild<QLabel*>("logCompareFailures")
                    ->text()
                    .contains(QStringLiteral("is not on the GPU")));
        QVERIFY(m_view->findChild<QLabel*>("logCompareFailures")
                    ->text()
                    .contains(QStringLiteral("After: no out-of-memory message")));
    }

    void theChooserDrawsAnotherSeries()
    {
        QVERIFY(m_view->chart().figure().shapes.size() > 10);
        QCOMPARE(*m_view->shownSeries(), std::size_t{0});
        m_view->chooser().setFocus();
        QTest::keyClick(&m_view->chooser(), Qt::Key_Down);
        QCOMPARE(*m_view->shownSeries(), std::size_t{1});
        const QString title = QString::fromStdString(m_view->chart().figure().title);
        QVERIFY2(title.contains(QStringLiteral("perf/max_memory_reserved_gb")), qPrintable(title));
    }

    void aClickOnARowDrawsItsSeries()
    {
        QTableView& table = m_view->series();
        QTest::mouseClick(
            table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(2, 0)).center());
        QCOMPARE(*m_view->shownSeries(), std::size_t{2});
    }

    void swappingExchangesTheRuns()
    {
        m_view->chart().setFocus();
        QTest::keyClick(&m_view->chart(), Qt::Key_X);
        QTRY_VERIFY(textIn(m_view->header()).contains(QStringLiteral("44.87 GiB → 69.48 GiB")));
        QVERIFY(textIn(m_view->header()).contains(QStringLiteral("The peak rose by 24.61 GiB")));
        m_window->actions().swapRuns->trigger();
        QTRY_VERIFY(textIn(m_view->header()).contains(QStringLiteral("69.48 GiB → 44.87 GiB")));
    }

    void logsWithoutACommonSeriesSaySo()
    {
        compare("r4-verl-slurm.err", "r4-verl-after.err");
        QVERIFY(textIn(m_view->header()).contains(QStringLiteral("no series of GPU memory in common")));
        QVERIFY(!m_view->chart().isVisible());
        QTRY_VERIFY(!m_view->chooser().isVisible()); // the tool bar is laid out a little later
        QVERIFY(!m_view->series().isVisible());
    }

    void closingTheComparisonShowsTheOneLog()
    {
        QVERIFY(m_window->actions().closeComparison->isEnabled());
        m_window->actions().closeComparison->trigger();
        QVERIFY(!isOn(m_window->pages().logCompare));
        QCOMPARE(m_window->windowTitle(), QStringLiteral("r4-verl-after.err — Highwater"));
        QVERIFY(!m_window->actions().closeComparison->isEnabled());
        QVERIFY(m_window->actions().compareBefore->isEnabled());
    }

    void openingAnotherFileEndsTheComparison()
    {
        m_window->openFile(samplePath(QStringLiteral("oom-too-big")));
        QTRY_VERIFY(isOn(m_window->page()));
        QVERIFY(!m_window->sessions().other.isOpen());
    }

    void aLogIsNotComparedWithASnapshot()
    {
        m_window->compareFiles(samplePath(QStringLiteral("oom-too-big")), logPath("r4-verl-after.err"));
        QTRY_VERIFY(m_window->errorText().contains(QStringLiteral("cannot be compared")));
        QVERIFY(!isOn(m_window->pages().logCompare) && !isOn(m_window->pages().compare));
    }

    void aLogDroppedOnALogIsCompared()
    {
        m_window->actions().closeComparison->trigger();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(logPath("r4-verl-before.err"))});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        const auto* menu = m_window->findChild<QMenu*>(QStringLiteral("dropMenu"));
        QVERIFY(menu);
        QVERIFY(menu->actions()[1]->text().contains(QStringLiteral("before")));
        menu->actions()[1]->trigger();
        QTRY_VERIFY(isOn(m_window->pages().logCompare) && m_view->isSettled());
        QVERIFY(textIn(m_view->header()).contains(QStringLiteral("69.48 GiB → 44.87 GiB")));
    }
};

HIGHWATER_APP_TEST(LogCompareTest)

} // namespace highwater::gui::test

#include "log_compare_test.moc"
