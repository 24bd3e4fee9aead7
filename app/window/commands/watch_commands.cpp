#include "app/window/commands/watch_commands.h"

#include <utility>

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMainWindow>
#include <QStatusBar>

#include "app/views/parts/arrange.h"
#include "app/window/commands/actions.h"

namespace highwater::gui {

namespace {

constexpr int kIncompleteMessageMilliseconds = 10'000;

} // namespace

WatchCommands::WatchCommands(Actions& actions, QMainWindow& window)
    : QObject(&window)
    , m_actions(actions)
    , m_window(window)
    , m_stateLabel(named(new QLabel(&window), "watchedFolder", tr("Watched folder")))
{
    window.statusBar()->addPermanentWidget(m_stateLabel);
    connect(m_actions.watchFolder, &QAction::triggered, this, [this](bool wanted) {
        if (wanted)
            chooseFolder();
        else
            m_watcher.stop();
        showState();
    });
    connect(&m_watcher, &FolderWatcher::began, this, [this](const QString& newest) {
        m_latest = newest;
        if (!newest.isEmpty())
            emit found(newest);
    });
    connect(&m_watcher, &FolderWatcher::arrived, this, &WatchCommands::takeArrived);
    connect(&m_watcher, &FolderWatcher::incomplete, this, [this](const QString& path) {
        m_window.statusBar()->showMessage(
            tr("%1 is not complete yet").arg(QFileInfo(path).fileName()), kIncompleteMessageMilliseconds);
    });
    connect(&m_watcher, &FolderWatcher::failed, this, [this](const QString& folder, const QString& sentence) {
        showState();
        emit failed(folder, sentence);
    });
    showState();
}

void WatchCommands::watch(const QString& folder)
{
    m_watcher.start(folder);
    showState();
}

void WatchCommands::setDialogFolderFrom(const QString& file)
{
    m_dialogFolder = QFileInfo(file).path();
}

void WatchCommands::takeArrived(const QStringList& paths)
{
    QString previous = std::exchange(m_latest, paths.first());
    if (paths.contains(previous))
        previous.clear(); // it was overwritten
    emit arrived(paths, previous);
}

void WatchCommands::chooseFolder()
{
    const QString folder
        = QFileDialog::getExistingDirectory(&m_window, tr("Watch the folder of a run"), m_dialogFolder);
    if (!folder.isEmpty())
        m_watcher.start(folder);
}

void WatchCommands::showState()
{
    const QString& folder = m_watcher.folder();
    m_actions.watchFolder->setChecked(!folder.isEmpty());
    m_stateLabel->setVisible(!folder.isEmpty());
    m_stateLabel->setText(tr("Watching %1").arg(QDir(folder).dirName()));
    m_stateLabel->setToolTip(
        tr("%1\nNew recordings there are opened once they are complete. To stop: File › Watch a folder")
            .arg(QDir::toNativeSeparators(folder)));
}

} // namespace highwater::gui
