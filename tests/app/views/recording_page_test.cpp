#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/views/pages/recording_page.h"
#include "app/views/pages/verdict_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "importers/nsys/nsys_importer.h"
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
        QTRY_VERIFY(recording().isVisible());
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

    void theLinesThatRecordMemoryAreCopiedByAClick()
    {
        open();
        QTest::mouseClick(recording().findChild<QToolButton*>(QStringLiteral("copyLines")), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().startsWith(
            QStringLiteral("nsys profile --cuda-memory-usage=true")));
    }

    void theCopiedLinesHaveTheCommandsThatTheImporterNames()
    {
        open();
        QTest::mouseClick(recording().findChild<QToolButton*>(QStringLiteral("copyLines")), Qt::LeftButton);
        const QString lines = QApplication::clipboard()->text();
        const QString remarks = recording().findChild<QLabel*>(QStringLiteral("recordingRemarks"))->text();
        const QString recorded = remarks.section(QLatin1Char('"'), 1, 1);
        QVERIFY2(!recorded.isEmpty() && lines.contains(recorded), qPrintable(recorded));
        const QString exported = toQString(kNsysReportAdvice).section(QLatin1Char('"'), 1, 1);
        const QString command = exported.section(QStringLiteral(" REPORT"), 0, 0);
        QVERIFY2(!command.isEmpty() && lines.contains(command), qPrintable(command));
    }

    void isCompleteForAScreenshot()
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        open();
        QTRY_COMPARE(complete.size(), 1);
        QVERIFY(complete.front().front().toString().isEmpty());
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
