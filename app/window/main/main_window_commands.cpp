#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QSettings>

#include "app/views/compare/log_compare_view.h"
#include "app/views/compare/sweep_view.h"
#include "app/views/log/log_view.h"
#include "app/views/pages/import_log_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/window/commands/go_to_dialog.h"
#include "app/window/commands/help_dialogs.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"

// What the commands of the window do, and when they can be used.

namespace highwater::gui {

namespace {

constexpr double kKeyZoom = 2;
constexpr double kKeyPan = 0.125;

/// The label grows and never shrinks: with a size that follows each text it would lay out the window with
/// every move of the mouse.
void setStatusText(QLabel& label, const QString& text)
{
    if (label.text() == text)
        return;
    label.setText(text);
    if (const QSize wanted = label.sizeHint(); wanted.width() > label.minimumWidth())
        label.setFixedSize(wanted);
}

} // namespace

void MainWindow::connectActions()
{
    const auto on = [this](QAction* action, auto&& run) { connect(action, &QAction::triggered, this, run); };
    on(m_actions->open, [this] { chooseFile(); });
    on(m_actions->saveWorkspace, [this] { saveWorkspace(); });
    on(m_actions->saveWorkspaceAs, [this] { saveWorkspaceAs(); });
    on(m_actions->quit, [this] { close(); });
    on(m_actions->fit, [this] { isComparing() ? m_compare->fit() : m_page->fit(); });
    on(m_actions->back, [this] { m_page->history().back(); });
    on(m_actions->forward, [this] { m_page->history().forward(); });
    const auto zoom
        = [this](double factor) { isComparing() ? m_compare->zoom(factor) : m_page->zoom(factor); };
    const auto pan = [this](double share) { isComparing() ? m_compare->pan(share) : m_page->pan(share); };
    const auto step = [this](int by) {
        isComparing() ? m_compare->goToNeighbourStep(by) : m_page->goToNeighbourStep(by);
    };
    on(m_actions->zoomIn, [zoom] { zoom(1 / kKeyZoom); });
    on(m_actions->zoomOut, [zoom] { zoom(kKeyZoom); });
    on(m_actions->panLeft, [pan] { pan(-kKeyPan); });
    on(m_actions->panRight, [pan] { pan(kKeyPan); });
    on(m_actions->eventAxis, [this] { m_page->setAxis(AxisKind::Event); });
    on(m_actions->timeAxis, [this] { m_page->setAxis(AxisKind::Time); });
    on(m_actions->peak, [this] { isComparing() ? m_compare->goToPeaks() : m_page->goToPeak(); });
    on(m_actions->previousStep, [step] { step(-1); });
    on(m_actions->nextStep, [step] { step(1); });
    on(m_actions->nextOutOfMemory, [this] { m_page->goToNextOutOfMemory(); });
    on(m_actions->release, [this] { isComparing() ? m_compare->release() : m_page->release(); });
    on(m_actions->goTo, [this] { askWhereToGo(); });
    on(m_actions->find, [this] { m_page->search().focusField(); });
    on(m_actions->nextMatch, [this] { m_page->search().goToNext(); });
    on(m_actions->previousMatch, [this] { m_page->search().goToPrevious(); });
    on(m_actions->gpuActivity, [this] {
        setActivitiesShown(m_actions->gpuActivity->isChecked());
        openFiles(m_opened);
    });
    on(m_actions->keepLarge, [this] {
        if (m_remember)
            QSettings().setValue(QStringLiteral("keepLargeFiles"), m_actions->keepLarge->isChecked());
        applyCache();
    });
    on(m_actions->forgetLarge, [] {
        if (const auto folder = TraceCache::defaultFolder())
            TraceCache(*folder).clear();
    });
    on(m_actions->keys, [this] { showKeys(this); });
    on(m_actions->about, [this] { showAbout(this); });
    connect(m_actions->themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        setTheme(themeFromName(action->data().toString()));
        if (m_remember)
            QSettings().setValue(QStringLiteral("theme"), action->data());
    });
    connect(&m_recent, &RecentFiles::changed, this, &MainWindow::refreshRecentMenu);
}

void MainWindow::setActivitiesShown(bool shown)
{
    m_actions->gpuActivity->setChecked(shown);
    m_loader.setActivities(shown);
}

void MainWindow::openView(const QString& name)
{
    if (name == QLatin1String("compare"))
        return; // on screen as soon as there are two runs
    if (name == QLatin1String("report")) {
        m_wantedView = name; // as soon as its document is loaded
        return;
    }
    PanelTabs& questions = m_page->questions();
    if (name == QLatin1String("timeline"))
        questions.setExtent(PanelTabs::Extent::Collapsed);
    else
        questions.open(name);
    const bool awaitsLog = name == QLatin1String("log") && !m_log->hasLog();
    m_wantedView = awaitsLog ? name : QString(); // its tab may still come
}

void MainWindow::applyCache()
{
    const std::optional<std::filesystem::path> folder = TraceCache::defaultFolder();
    const bool keeps = m_remember && folder && m_actions->keepLarge->isChecked();
    const std::optional<TraceCache> cache = keeps ? std::optional(TraceCache(*folder)) : std::nullopt;
    m_loader.setCache(cache);
    m_compareSession.loader().setCache(cache);
    m_sweep.setCache(cache);
}

void MainWindow::askWhereToGo()
{
    if (!m_page->analysis())
        return;
    GoToDialog dialog(m_page->analysis(), m_page->selection().cursor(), this);
    if (dialog.exec() == QDialog::Accepted && dialog.target())
        m_page->goTo(*dialog.target());
}

void MainWindow::refreshRecentMenu()
{
    m_actions->recent->clear();
    for (const QString& path : m_recent.paths()) {
        QAction* action = m_actions->recent->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    m_actions->recent->setEnabled(!m_recent.paths().isEmpty());
    if (m_recent.paths().isEmpty())
        return;
    m_actions->recent->addSeparator();
    connect(m_actions->recent->addAction(tr("&Clear this list")), &QAction::triggered, &m_recent,
        &RecentFiles::clear);
}

void MainWindow::refreshCommands()
{
    const std::shared_ptr<const DeviceAnalysis> analysis
        = showsSweep() || showsReport() ? nullptr : m_page->analysis();
    const bool hasTimes = analysis && analysis->trace->hasTimes(analysis->device);
    m_actions->setDocumentOpen(analysis != nullptr, hasTimes, analysis && !analysis->figures.ooms.empty());
    m_actions->eventAxis->setChecked(m_page->axis() == AxisKind::Event);
    m_actions->timeAxis->setChecked(m_page->axis() == AxisKind::Time);
    const bool ofTwo = isComparing() || isComparingLogs();
    m_actions->report->setEnabled(showsReport() || !reportSubject().isEmpty());
    m_actions->setComparing(ofTwo, analysis != nullptr || showsLog() || isComparingLogs());
    for (QAction* action : {m_actions->saveWorkspace, m_actions->saveWorkspaceAs})
        action->setEnabled(m_page->document() != nullptr);
    m_actions->closeComparison->setEnabled(ofTwo || showsSweep());
    m_actions->showSeveral->setEnabled(m_sweep.isOpen() && !showsSweep());
    refreshNotes();
    m_dock->toggleViewAction()->setVisible(analysis != nullptr && !isComparing());
    if (analysis)
        m_toolBar->showModes(m_page->bandView().modes(), m_page->bandView().wantedMode());
    else
        m_toolBar->hideChoosers();
}

void MainWindow::refreshHistory()
{
    m_actions->back->setEnabled(m_page->history().canBack());
    m_actions->forward->setEnabled(m_page->history().canForward());
}

void MainWindow::refreshStatus()
{
    setStatusText(*m_status,
        isComparing()           ? m_compare->statusText()
            : isComparingLogs() ? m_logCompare->statusText()
            : showsSweep()      ? m_sweepView->statusText()
                                : m_page->statusText());
    setStatusText(*m_cursor,
        isComparing()                           ? m_compare->cursorText()
            : showsSweep() || isComparingLogs() ? QString()
                                                : m_page->cursorText());
}

void MainWindow::showRemarks()
{
    const Document& document = *m_page->document();
    ImportLogView(toQString(document.fileName()), document.trace().log, this).exec();
}

} // namespace highwater::gui
