#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>

#include "app/views/compare/sweep_view.h"
#include "app/views/parts/message_bar.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/progress/sweep_loading_bar.h"

// Comparison of three or more runs.

namespace highwater::gui {

void MainWindow::buildSweep()
{
    m_sweepView = new SweepView(m_sweep, m_stack);
    m_stack->addWidget(m_sweepView);
    statusBar()->addPermanentWidget(new SweepLoadingBar(m_sweep, this));
    connect(&m_sweep, &SweepSession::changed, this, &MainWindow::refreshStatus);
    connect(&m_sweep, &SweepSession::finished, this, [this] {
        if (m_sweep.isOpen())
            return completeIfSettled();
        closeSweep();
        showFailure(m_sweptPath, tr("there is no recording in this folder"));
    });
    connect(m_sweepView, &SweepView::compareRequested, this, &MainWindow::compareRunsOfSweep);
    connect(m_sweepView, &SweepView::openRequested, this,
        [this](quint64 row) { openFile(pathOfSweep(static_cast<std::size_t>(row))); });
    connect(m_sweepView, &SweepView::closeRequested, this, &MainWindow::closeSweep);
    connect(m_actions->compareSeveral, &QAction::triggered, this, &MainWindow::chooseSeveral);
    connect(m_actions->showSeveral, &QAction::triggered, this, &MainWindow::showSweep);
}

bool MainWindow::showsSweep() const
{
    return pageBelow() == m_sweepView;
}

void MainWindow::chooseSeveral()
{
    const QString folder = QFileInfo(m_opened.value(0)).path();
    const QStringList paths
        = QFileDialog::getOpenFileNames(this, tr("Runs to set beside each other"), folder);
    if (!paths.isEmpty())
        sweepFiles(paths);
}

void MainWindow::sweepFiles(const QStringList& paths)
{
    m_compareSession.close();
    m_error->dismiss();
    m_sweptPath = paths.value(0);
    m_sweep.open(paths, m_page->reading().rules());
    if (!m_sweep.isOpen()) // which has been said
        return;
    m_awaitsPicture = true;
    showSweep();
    completeIfSettled();
}

void MainWindow::showSweep()
{
    m_stack->setCurrentWidget(m_sweepView);
    m_dock->hide();
    m_warning->dismiss();
    refreshToolBar();
    setSubject(tr("%1 runs").arg(m_sweep.fileCount()));
    m_sweepView->table().setFocus();
    refreshCommands();
    refreshStatus();
}

void MainWindow::closeSweep()
{
    m_sweep.close();
    m_returnsToSweep = false;
    if (m_page->document())
        showDocumentAgain();
    else
        m_stack->setCurrentIndex(0);
    refreshToolBar();
    refreshCommands();
    refreshStatus();
}

QString MainWindow::pathOfSweep(std::size_t row) const
{
    return qtPath(m_sweep.sweep()->rows[row].run.path);
}

void MainWindow::compareRunsOfSweep(quint64 before, quint64 after)
{
    compareFiles(pathOfSweep(static_cast<std::size_t>(before)), pathOfSweep(static_cast<std::size_t>(after)));
    m_returnsToSweep = true;
}

} // namespace highwater::gui
