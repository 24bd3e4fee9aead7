#include "app/window/commands/file_commands.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include "app/window/commands/actions.h"
#include "app/window/opening/open_request.h"
#include "app/workspace/document/recent_files.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/study/run_study.h"

namespace highwater::gui {

FileCommands::FileCommands(const Parts& parts, bool remember, QWidget* window)
    : QObject(window)
    , m_actions(parts.actions)
    , m_recent(parts.recent)
    , m_request(parts.request)
    , m_run(parts.run)
    , m_window(window)
{
    connect(m_actions.open, &QAction::triggered, this, &FileCommands::chooseFiles);
    connect(m_actions.openFolder, &QAction::triggered, this, &FileCommands::chooseFolder);
    connect(m_actions.addFiles, &QAction::triggered, this, &FileCommands::chooseFurtherFiles);
    if (remember)
        connect(&m_request, &OpenRequest::opened, this, [this](const QString& path) {
            m_openedPath = path;
            m_recent.add(path);
        });
    connect(&m_run, &RunState::changed, this, &FileCommands::noteOutcome);
    connect(&m_recent, &RecentFiles::changed, this, &FileCommands::fillRecentMenu);
    fillRecentMenu();
}

QString FileCommands::folderOfRun() const
{
    return QFileInfo(m_request.files().value(0)).path();
}

void FileCommands::chooseFiles()
{
    const QString folder = QFileInfo(m_recent.paths().value(0)).path();
    emit openRequested(QFileDialog::getOpenFileNames(m_window, tr("Open files of a run"), folder,
        tr("All files (*);;Snapshots, traces and logs (*.pickle *.pkl *.json *.html *.gz *.zst *.sqlite "
           "*.log *.txt *.out *.err *.jsonl);;Workspaces (*.highwater)")));
}

void FileCommands::chooseFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(
        m_window, tr("Open the folder of a run"), QFileInfo(m_recent.paths().value(0)).path());
    if (!folder.isEmpty())
        emit openRequested({folder});
}

void FileCommands::chooseFurtherFiles()
{
    emit addRequested(QFileDialog::getOpenFileNames(m_window, tr("Add files of this run"), folderOfRun()));
}

void FileCommands::chooseConfiguration()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Open the run's configuration"),
        folderOfRun(), tr("Configurations (*.yaml *.yml *.json);;All files (*)"));
    if (!path.isEmpty())
        emit configurationChosen(path);
}

/// Stores the run's peak, and that it ran out of memory, to be shown next to its name in the list.
void FileCommands::noteOutcome()
{
    const std::shared_ptr<const RunStudy>& study = m_run.study();
    if (!study || m_openedPath.isEmpty())
        return;
    QStringList parts;
    if (study->figures())
        parts << bytesText(study->figures()->peakBytes);
    if (study->diagnosis().ranOut())
        parts << tr("out of memory");
    m_recent.setOutcome(m_openedPath, parts.join(QStringLiteral(", ")), study->diagnosis().ranOut());
}

void FileCommands::fillRecentMenu()
{
    QMenu& menu = *m_actions.recent;
    menu.clear();
    for (const QString& path : m_recent.paths()) {
        QAction* action = menu.addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { emit openRequested({path}); });
    }
    menu.setEnabled(!m_recent.paths().isEmpty());
    if (m_recent.paths().isEmpty())
        return;
    menu.addSeparator();
    connect(menu.addAction(tr("&Clear this list")), &QAction::triggered, &m_recent, &RecentFiles::clear);
}

} // namespace highwater::gui
