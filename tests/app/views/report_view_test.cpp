#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/parts/message_bar.h"
#include "app/views/parts/picture_export.h"
#include "app/views/report/report_view.h"
#include "app/views/report/section_list.h"
#include "app/views/segments/address_map_view.h"
#include "app/views/segments/segments_view.h"
#include "app/views/steps/step_chart.h"
#include "app/views/steps/steps_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/report_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/hand_made_report.h"

namespace highwater::gui::test {

namespace {

std::vector<ReportPart> partsOf(const Report& report)
{
    std::vector<ReportPart> parts;
    for (const ReportSection& section : report.sections)
        parts.push_back(section.part);
    return parts;
}

} // namespace

class ReportViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    ReportView& view() { return m_window->pages().report; }
    const Report& report() { return *view().session().report(); }

    void openReport(const QString& sample)
    {
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(isOn(m_window->page()) && m_window->page().isSettled());
        m_window->actions().report->trigger();
        QVERIFY(isInFront(m_window->pages().report));
        QTRY_VERIFY(view().session().report() && view().isSettled());
    }

    bool has(ReportPart part)
    {
        const std::vector<ReportPart> parts = partsOf(report());
        return std::ranges::find(parts, part) != parts.end();
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void withoutAFileThereIsNoReport()
    {
        QVERIFY(!m_window->actions().report->isEnabled());
        m_window->report().show();
        QVERIFY(!isInFront(m_window->pages().report));
    }

    void theReportOfAFileTellsItsPeak()
    {
        openReport("tiny-hand-checked");
        QVERIFY(has(ReportPart::Summary));
        QVERIFY(view().preview().toPlainText().contains("22 MiB"));
        QCOMPARE(view().options().kind, ReportTemplate::Incident);
    }

    void escapeGoesBackToWhatWasOnScreen()
    {
        openReport("tiny-hand-checked");
        view().preview().setFocus();
        QTest::keyClick(&view().preview(), Qt::Key_Escape);
        QVERIFY(!isInFront(m_window->pages().report));
        QVERIFY(isOn(m_window->page()));
        m_window->actions().report->trigger();
        QVERIFY(isInFront(m_window->pages().report));
        m_window->actions().report->trigger();
        QVERIFY(!isInFront(m_window->pages().report));
    }

    void uncheckedSectionsAreLeftOut()
    {
        openReport("tiny-hand-checked");
        QVERIFY(has(ReportPart::Provenance));
        SectionList& sections = view().sections();
        for (int row = 0; row < sections.count(); ++row)
            if (sections.item(row)->data(Qt::UserRole).toInt() == static_cast<int>(ReportPart::Provenance))
                sections.item(row)->setCheckState(Qt::Unchecked);
        QTRY_VERIFY(!has(ReportPart::Provenance));
    }

    void anEmptySectionIsUncheckedUntilItHasContent()
    {
        openReport("tiny-hand-checked");
        SectionList& sections = view().sections();
        const auto rowOf = [&](ReportPart part) {
            int row = 0;
            while (sections.item(row)->data(Qt::UserRole).toInt() != static_cast<int>(part))
                ++row;
            return row;
        };
        QListWidgetItem* const notes = sections.item(rowOf(ReportPart::NoteList));
        QTRY_VERIFY(notes->text().endsWith(QStringLiteral("(empty)")));
        QCOMPARE(notes->checkState(), Qt::Unchecked);
        QVERIFY(!notes->flags().testFlag(Qt::ItemIsEnabled));
        QVERIFY(m_window->notes().list().add(noteAt(NotedMoment{3})));
        QTRY_COMPARE(notes->checkState(), Qt::Checked);
        QVERIFY(notes->flags().testFlag(Qt::ItemIsEnabled) && has(ReportPart::NoteList));
    }

    void anEmptySectionIsGreyEvenIfNobodyChoseIt()
    {
        openReport("tiny-hand-checked");
        QListWidgetItem* changes = nullptr;
        for (int row = 0; row < view().sections().count(); ++row)
            if (QListWidgetItem* const item = view().sections().item(row);
                item->data(Qt::UserRole).toInt() == static_cast<int>(ReportPart::Comparison))
                changes = item;
        QTRY_COMPARE(changes->text(), QStringLiteral("What changed (empty)"));
        QVERIFY(!changes->flags().testFlag(Qt::ItemIsEnabled));
    }

    void sectionsAreMovedWithKeys()
    {
        openReport("tiny-hand-checked");
        view().full().setChecked(true); // this sample's findings are facts, which a short report omits
        QTRY_VERIFY(has(ReportPart::Facts));
        const std::vector<ReportPart> before = partsOf(report());
        SectionList& sections = view().sections();
        sections.setCurrentRow(0);
        sections.setFocus();
        const auto partIn = [&](int row) {
            return static_cast<ReportPart>(sections.item(row)->data(Qt::UserRole).toInt());
        };
        int moves = 1;
        while (!has(partIn(moves))) // skip the sections that the report does not have
            ++moves;
        for (int i = 0; i < moves; ++i)
            QTest::keyClick(&sections, Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(partsOf(report()) != before);
        QCOMPARE(sections.currentRow(), moves);
        for (int i = 0; i < moves; ++i)
            QTest::keyClick(&sections, Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(partsOf(report()), before);
    }

    void withoutAnySectionThereIsNothingToExport()
    {
        openReport("tiny-hand-checked");
        view().sections().setChosen({});
        emit view().sections().chosenChanged();
        QVERIFY(view().preview().toPlainText().contains("No section selected"));
        QVERIFY(!view().preview().text());
    }

    void anotherTemplateHasItsSections()
    {
        openReport("tiny-hand-checked");
        QComboBox& kinds = view().templates();
        kinds.setCurrentIndex(kinds.findData(static_cast<int>(ReportTemplate::PullRequest)));
        emit kinds.activated(kinds.currentIndex());
        QCOMPARE(view().sections().chosen(), usualParts(ReportTemplate::PullRequest, false));
        QTRY_VERIFY(!has(ReportPart::Provenance));
    }

    void theTitleIsTyped()
    {
        openReport("tiny-hand-checked");
        view().titleEdit().setFocus();
        QTest::keyClicks(&view().titleEdit(), "An incident");
        QTRY_COMPARE(report().title, std::string("An incident"));
    }

    void theReportFollowsTheNotes()
    {
        openReport("tiny-hand-checked");
        QVERIFY(!has(ReportPart::NoteList));
        Note note;
        note.title = "Seen here";
        note.place = NotedMoment{3};
        m_window->notes().list().add(note);
        QTRY_VERIFY(has(ReportPart::NoteList));
        QVERIFY(view().preview().toPlainText().contains("Seen here"));
    }

    void pathsAreLeftOutOnRequest()
    {
        openReport("tiny-hand-checked");
        const QString folder = QFileInfo(samplePath("tiny-hand-checked")).path();
        QVERIFY(view().preview().toPlainText().contains(folder));
        view().stripPaths().setChecked(true);
        QTRY_VERIFY(!view().preview().toPlainText().contains(folder));
    }

    void twoRunsHaveOneReport()
    {
        m_window->compareFiles(samplePath("r3-vocabulary-before"), samplePath("r3-vocabulary-after"));
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        m_window->report().show();
        QTRY_VERIFY(view().session().report() && view().isSettled());
        QCOMPARE(view().options().kind, ReportTemplate::BeforeAfter);
        QVERIFY(has(ReportPart::Comparison));
        QVERIFY(isOn(m_window->pages().compare)); // the report is about this page
        m_window->report().hide();
        QVERIFY(isOn(m_window->pages().compare));
    }

    void oneConfigurationGivesBothRunsABudget()
    {
        m_window->compareFiles(samplePath("r1-grpo-before"), samplePath("r1-grpo-after"));
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        m_window->openConfiguration(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/r1-grpo.yaml"));
        m_window->report().show();
        QTRY_VERIFY(view().session().report() && view().isSettled());
        const QString text = view().preview().toPlainText();
        QVERIFY(text.contains("Expected bytes"));
    }

    void everyFormIsWrittenAndTold()
    {
        openReport("tiny-hand-checked");
        QTemporaryDir folder;
        QSignalSpy saved(&view(), &ReportView::saved);
        for (const char* name : {"r.html", "r.pdf", "r.md", "r.json"}) {
            view().saveTo(folder.filePath(QLatin1String(name)));
            QTRY_COMPARE(saved.size(), 1);
            saved.clear();
        }
        QVERIFY(contentOf(folder.filePath("r.html")).startsWith("<!doctype html")
            || contentOf(folder.filePath("r.html")).startsWith("<!DOCTYPE html"));
        QVERIFY(contentOf(folder.filePath("r.pdf")).startsWith("%PDF"));
        QVERIFY(contentOf(folder.filePath("r.md")).contains("r-figures/"));
        QVERIFY(QFile::exists(folder.filePath("r-figures")));
        QVERIFY(contentOf(folder.filePath("r.json")).startsWith("{"));
        const auto* bar = m_window->findChild<MessageBar*>("doneBar");
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().startsWith("r.json: Report saved in "), qPrintable(bar->text()));
    }

    void thatAReportWasSavedIsNotToldOverAnotherFile()
    {
        openReport("tiny-hand-checked");
        QTemporaryDir folder;
        view().saveTo(folder.filePath("r.md"));
        const auto* bar = m_window->findChild<MessageBar*>("doneBar");
        QTRY_VERIFY(bar->isVisible());
        m_window->openFile(samplePath("training-6-steps-bare"));
        QVERIFY(bar->isHidden());
    }

    void aReportThatCannotBeWrittenIsSaid()
    {
        openReport("tiny-hand-checked");
        QSignalSpy failed(&view(), &ReportView::failed);
        view().saveTo(QStringLiteral("/no such folder/r.html"));
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(m_window->errorText().startsWith("r.html: "));
    }

    void asMarkdownItGoesToTheClipboardWithoutPictures()
    {
        openReport("tiny-hand-checked");
        view().copyAsMarkdown();
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY(text.startsWith("# "));
        QVERIFY(!text.contains(".svg"));
    }

    void everyViewOfThePageOffersItsPicture()
    {
        m_window->openFile(samplePath("training-6-steps-annotated"));
        QTRY_VERIFY(isOn(m_window->page()) && m_window->page().isSettled());
        DocumentPage& page = m_window->page();
        QVERIFY(!offeredPicture(page.timeline()).source(PictureRoom{}).isEmpty());
        QVERIFY(m_window->shownPicture().source);
        m_window->actions().copyPicture->trigger();
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasImage());
        for (const char* name : {"steps", "segments"}) {
            m_window->openView(QLatin1String(name));
            QTRY_VERIFY(page.isSettled());
        }
        for (const QWidget* view : {static_cast<const QWidget*>(&page.findChild<StepsView*>()->chart()),
                 static_cast<const QWidget*>(&page.findChild<SegmentsView*>()->map())})
            QTRY_VERIFY(!offeredPicture(*view).source(PictureRoom{}).isEmpty());
    }

    void everyChartOfTheWindowOffersItsPicture()
    {
        int charts = 0;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            const QByteArray name = widget->metaObject()->className();
            if (!name.endsWith("Chart") && !name.endsWith("FigureView") && !name.endsWith("TimelinePlot"))
                continue;
            QVERIFY2(widget->findChild<QAction*>("savePicture"), name.constData());
            ++charts;
        }
        QVERIFY(charts >= 12);
    }

    void thePreviewKeepsItsPlace()
    {
        ReportPreview preview;
        preview.resize(700, 300);
        preview.show();
        preview.showReport(handMadeReport(40));
        QTRY_VERIFY(preview.verticalScrollBar()->maximum() > 600);
        preview.goTo(ReportPart::Peak);
        const int at = preview.verticalScrollBar()->value();
        QVERIFY(at > 100);
        preview.showReport(handMadeReport(40));
        QTRY_VERIFY(std::abs(preview.verticalScrollBar()->value() - at) <= 2);
        // Most of the text before the section is gone, so the section has moved up.
        auto shorter = std::make_shared<Report>(*handMadeReport(40));
        shorter->sections.front().blocks.resize(1);
        preview.showReport(shorter);
        QVERIFY(preview.verticalScrollBar()->value() < at);
        QVERIFY(preview.verticalScrollBar()->value() > 0);
    }

    void thePreviewZooms()
    {
        ReportPreview preview;
        preview.resize(700, 300);
        preview.showReport(handMadeReport(40));
        const double height = preview.document()->size().height();
        preview.setZoom(2);
        QVERIFY(preview.document()->size().height() > 1.5 * height);
        preview.setZoom(100);
        QCOMPARE(preview.zoom(), ReportPreview::kMaxZoom);
    }

    void figuresAndTablesOfThePreviewCanBeCopied()
    {
        ReportPreview preview;
        preview.resize(900, 2000);
        preview.show();
        QVERIFY(QTest::qWaitForWindowExposed(&preview));
        preview.showReport(handMadeReport(5));
        QVERIFY(preview.figureInView());
        QTextCursor at = preview.document()->find("row3");
        QVERIFY(!at.isNull());
        const QPoint spot = preview.cursorRect(at).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, spot, preview.viewport()->mapToGlobal(spot));
        QCoreApplication::sendEvent(preview.viewport(), &event);
        auto* menu = preview.findChild<QMenu*>("previewMenu");
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text().contains("CSV"))
                action->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("site,bytes,count"));
        menu->close();
    }
};

HIGHWATER_APP_TEST(ReportViewTest)

} // namespace highwater::gui::test

#include "report_view_test.moc"
