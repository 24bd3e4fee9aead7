#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <qcustomplot.h>

#include "app/timeline/lane_strip.h"
#include "app/views/pages/recording_page.h"
#include "app/views/pages/verdict_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of files without memory events in the window.
class RecordingPageTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    RecordingPage& recording() { return m_window->pages().recording; }
    static QString path(const QString& name)
    {
        return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/nsys/") + name;
    }
    void open()
    {
        m_window->openFile(path("no-memory-table-3.25.0.sqlite"));
        QTRY_VERIFY(recording().isVisible() && recording().lanes().lanes());
    }
    QStringList laneNames()
    {
        QStringList names;
        for (const LaneRow& row : recording().lanes().lanes()->rows)
            if (!row.name.isEmpty())
                names << row.name;
        return names;
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(true);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void saysWhyThereIsNoMemoryAndWhatRecordsIt()
    {
        open();
        QTRY_VERIFY(textIn(recording()).startsWith("The export has no memory events"));
        QVERIFY(textIn(recording()).contains("--cuda-memory-usage=true"));
        QVERIFY(!isOn(m_window->page()));
    }

    void showsTheLanesOfEachProcess()
    {
        open();
        QCOMPARE(laneNames(),
            (QStringList{"pid 7001 · annotations", "pid 7001 · marks", "pid 7001 · operators",
                "pid 7002 · annotations", "pid 7002 · marks", "pid 7002 · operators", "CUDA calls"}));
        QVERIFY(recording().range().x().isWhole());
    }

    void theAxisIsNextToTheLanes()
    {
        open();
        const LaneStrip& lanes = recording().lanes();
        const auto* axis = recording().findChild<QCustomPlot*>();
        QTRY_VERIFY(qAbs(axis->y() - lanes.mapTo(&recording(), QPoint(0, lanes.height())).y()) <= 2);
    }

    void isCompleteForAScreenshot()
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        open();
        QTRY_COMPARE(complete.size(), 1);
        QVERIFY(complete.front().front().toString().isEmpty());
    }

    void aClickOnARangeZoomsToIt()
    {
        open();
        LaneStrip& lanes = recording().lanes();
        const QRect row = lanes.rowRect(0);
        const QPoint place(row.left() + 40, row.center().y()); // on "iteration 0"
        QVERIFY(lanes.tipAt(place).startsWith("iteration 0"));
        QVERIFY(lanes.tipAt(place).contains("9 ms"));
        const double whole = recording().range().x().width();
        QTest::mouseClick(&lanes, Qt::LeftButton, {}, place);
        QVERIFY(recording().range().x().width() < whole / 2);
    }

    void keysZoomAndTheBarPans()
    {
        open();
        const double whole = recording().range().x().width();
        QTest::keyClick(&recording(), Qt::Key_Plus);
        QVERIFY(recording().range().x().width() < whole);
        auto* bar = recording().findChild<QScrollBar*>();
        QVERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum());
        QVERIFY(qAbs(recording().range().x().end - recording().range().x().highest) < whole / 1000);
        QTest::keyClick(&recording(), Qt::Key_0);
        QVERIFY(recording().range().x().isWhole());
    }

    void aFileWithMemoryTakesItsPlaceAndBack()
    {
        open();
        m_window->openFile(path("training-3.7.2.sqlite"));
        QTRY_VERIFY(isOn(m_window->page()));
        QVERIFY(textIn(m_window->page().verdict()).contains("device used"));
        open();
        QVERIFY(!isOn(m_window->page()));
    }
};

HIGHWATER_APP_TEST(RecordingPageTest)

} // namespace highwater::gui::test

#include "recording_page_test.moc"
