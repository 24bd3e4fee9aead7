#include "app/workspace/saved/report_subject.h"

#include <QTest>

#include "app/views/report/report_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/window_pages.h"
#include "app/workspace/notes/note_list.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui {

using test::isOn;
using test::samplePath;

/// Checks that the report uses the results that the window has already computed.
class ReportSubjectTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    ReportSession& session() { return m_window->pages().report.session(); }
    std::shared_ptr<const RunStudy> study() { return m_window->page().run().study(); }

    void openReport(const QStringList& paths)
    {
        m_window->show();
        m_window->openFiles(paths);
        QTRY_VERIFY(isOn(m_window->page()) && m_window->page().isSettled());
        m_window->actions().report->trigger();
        QTRY_VERIFY(session().report() && !session().isBusy());
    }

private slots:
    void initTestCase() { test::useScratchSettings(); }
    void init() { m_window = std::make_unique<MainWindow>(false); }
    void cleanup() { m_window.reset(); }

    void theReportIsOfTheStudyOnScreen()
    {
        openReport({samplePath(QStringLiteral("r1-grpo-before"))});
        QVERIFY(study());
        FileHashes hashes;
        const Result<ReportRuns> runs = reportRuns(session().subject(), hashes);
        QVERIFY(runs);
        QCOMPARE(runs->run.study, study());
    }

    void aNoteRunsNoDetector()
    {
        openReport({samplePath(QStringLiteral("r1-grpo-before"))});
        const std::shared_ptr<const Report> before = session().report();
        const std::vector<Finding>* const findings = &study()->findings();
        Note note = noteAt(NotedMoment{3});
        note.title = "look here";
        m_window->notes().list().add(note);
        QTRY_VERIFY(session().report() != before && !session().isBusy());
        QCOMPARE(&study()->findings(), findings);
        QCOMPARE(session().subject().run.study, study());
    }

    void anotherCapacityIsInTheReport()
    {
        openReport({samplePath(QStringLiteral("r1-grpo-before"))});
        const std::shared_ptr<const RunStudy> first = study();
        m_window->page().run().setCapacity(DeviceCapacity{40 * kGiB, CapacitySource::Chosen, "", -1});
        QTRY_VERIFY(study() != first);
        QTRY_COMPARE(session().subject().run.study, study());
    }

    void ranksAreInTheFindingsOfTheWindow()
    {
        openReport({QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks")});
        QTRY_VERIFY(study()->ranks() && study()->ranks()->files.size() == 4);
        QVERIFY(study()->finding("rank-outlier"));
    }
};

HIGHWATER_APP_TEST(ReportSubjectTest)

} // namespace highwater::gui

#include "report_subject_test.moc"
