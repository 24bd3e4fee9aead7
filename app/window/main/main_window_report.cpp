#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>
#include <QUrl>

#include "app/views/compare/log_compare_view.h"
#include "app/views/parts/message_bar.h"
#include "app/views/parts/picture_export.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/picture_sources.h"
#include "core/analysis/logs/log_failures.h"

// The report of the open runs, and its figures.

namespace highwater::gui {

void MainWindow::buildReport()
{
    m_report = new ReportView(m_stack);
    m_stack->addWidget(m_report);
    connect(m_actions->report, &QAction::triggered, this,
        [this] { showsReport() ? hideReport() : showReport(); });
    connect(m_report, &ReportView::closeRequested, this, &MainWindow::hideReport);
    connect(m_report, &ReportView::settled, this, &MainWindow::completeIfSettled);
    connect(m_report, &ReportView::configurationRequested, this, &MainWindow::chooseConfiguration);
    connect(m_report, &ReportView::saved, this, &MainWindow::sayReportIsSaved);
    connect(m_report, &ReportView::failed, this, [this](const QString& path, const QString& sentence) {
        m_error->showMessage(QFileInfo(path).fileName(), sentence);
    });
    const auto refresh = [this] { refreshReport(); };
    connect(m_page, &DocumentPage::bytesChanged, this, refresh);
    connect(&m_page->companions(), &CompanionSources::sourcesChanged, this, refresh);
    connect(&m_session, &RunSession::changed, this, refresh);
    connect(&m_compare->state(), &ComparisonState::runsChanged, this, refresh);
    connect(m_logCompare, &LogCompareView::settled, this, refresh);
    connect(&m_byteCommands->capacities(), &CapacityChoices::changed, this, refresh);
    connect(&m_page->run(), &RunState::configurationChanged, this, refresh);
    connect(&m_notes->list(), &NoteList::changed, this, refresh);
    connect(m_report, &ReportView::edited, this, [this] { m_workspace->noteChange(); });
    offerPictures(*m_page, m_notes->list());
    offerOtherPictures(*this);
    connect(m_actions->copyPicture, &QAction::triggered, this, [this] { copyPicture(shownPicture()); });
    connect(m_actions->savePicture, &QAction::triggered, this,
        [this] { askWhereToSavePicture(shownPicture(), *this); });
}

bool MainWindow::showsReport() const
{
    return m_stack->currentWidget() == m_report;
}

/// The page behind the report, if the report is shown.
QWidget* MainWindow::pageBelow() const
{
    return showsReport() ? m_belowReport : m_stack->currentWidget();
}

/// Without taking the report away that is of this page.
void MainWindow::showPage(QWidget& page)
{
    if (!showsReport() || m_belowReport != &page)
        m_stack->setCurrentWidget(&page);
}

void MainWindow::showReport()
{
    if (showsReport() || reportSubject().isEmpty())
        return;
    m_belowReport = m_stack->currentWidget();
    refreshReport();
    m_stack->setCurrentWidget(m_report);
    refreshReport();
    m_dock->hide();
    m_report->preview().setFocus();
    refreshToolBar();
    refreshCommands();
}

void MainWindow::hideReport()
{
    if (!showsReport())
        return;
    m_stack->setCurrentWidget(m_belowReport);
    m_dock->setVisible(m_wantsDetails && showsDocument());
    m_belowReport->setFocus();
    refreshToolBar();
    refreshCommands();
}

void MainWindow::refreshReport()
{
    if (!m_belowReport)
        return;
    m_report->session().setNotes(m_notes->list().notes());
    m_report->setSubject(reportSubject());
}

ReportedRun MainWindow::reportedRunOf(const std::shared_ptr<const Document>& document,
    const std::shared_ptr<const DeviceAnalysis>& analysis) const
{
    ReportedRun run;
    if (document == m_page->document()) {
        run = reportedRun(document, analysis, m_session);
        run.configuration = m_page->run().configuration();
    } else {
        run.document = document;
        run.analysis = analysis;
    }
    if (document)
        run.capacity = m_byteCommands->capacities().of(QString::fromStdString(document->path));
    return run;
}

ReportSubject MainWindow::reportSubject() const
{
    ReportSubject subject;
    if (isComparing()) {
        const std::shared_ptr<const Comparison>& both = m_compare->state().comparison();
        if (!both)
            return subject;
        subject.run = reportedRunOf(both->after.document, both->after.analysis);
        subject.before = reportedRunOf(both->before.document, both->before.analysis);
    } else if (isComparingLogs()) {
        if (!m_logCompare->before())
            return subject;
        subject.run = reportedRunOf(m_logCompare->after(), nullptr);
        subject.before = reportedRunOf(m_logCompare->before(), nullptr);
    } else if (m_page->document() && (showsDocument() || showsLog())) {
        subject.run = reportedRunOf(m_page->document(), m_page->analysis());
    }
    return subject;
}

WorkspaceReport MainWindow::workspaceReport() const
{
    const ReportOptions& options = m_report->options();
    WorkspaceReport report;
    report.title = options.title;
    report.stripPaths = options.stripPaths;
    if (m_report->hasChosenTemplate())
        report.kind = toText(options.kind);
    for (const ReportPart part : m_report->ownSections())
        report.parts.emplace_back(toText(part));
    return report;
}

void MainWindow::takeWorkspaceReport(const WorkspaceReport& report)
{
    ReportOptions options;
    const std::optional<ReportTemplate> kind = reportTemplateFromText(report.kind);
    options.kind = kind.value_or(options.kind);
    options.title = report.title;
    options.stripPaths = report.stripPaths;
    for (const std::string& name : report.parts)
        if (const std::optional<ReportPart> part = reportPartFromText(name))
            options.parts.push_back(*part);
    m_report->setOptions(options, kind.has_value());
}

void MainWindow::chooseConfiguration()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("The run's configuration"),
        QFileInfo(m_opened.value(0)).path(), tr("Configurations (*.yaml *.yml *.json);;All files (*)"));
    if (!path.isEmpty())
        openConfiguration(path);
}

void MainWindow::sayReportIsSaved(const QString& path)
{
    m_done->ask(QFileInfo(path).fileName(),
        tr("The report is in %1.").arg(QDir::toNativeSeparators(QFileInfo(path).absolutePath())),
        {{tr("Open"), tr("With the program that the system has for it"),
            [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absoluteFilePath())); }}});
}

/// The one that the keyboard is in, else the main one of the page.
Picture MainWindow::shownPicture() const
{
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (Picture picture = offeredPicture(*widget); !picture.isEmpty())
            return picture;
    if (showsReport()) {
        const ReportFigure* figure = m_report->preview().figureInView();
        return figure ? Picture(figure->wide) : Picture();
    }
    return mainPicture(*m_stack->currentWidget());
}

} // namespace highwater::gui
