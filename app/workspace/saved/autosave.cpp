#include "app/workspace/saved/autosave.h"

#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>

#include "app/loading/files/workspace_store.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {

const QString kFilePattern = QStringLiteral("autosave-*.highwater");

QString lockPath(const QString& path)
{
    return path + QStringLiteral(".lock");
}

std::unique_ptr<QLockFile> makeLock(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(lockPath(path));
    lock->setStaleLockTime(0); // valid as long as its owner runs, however old it is
    return lock;
}

} // namespace

Autosave::Autosave(QString folder)
    : m_folder(std::move(folder))
{
}

Autosave::~Autosave() = default;

QString Autosave::defaultFolder()
{
    const QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (QDir::isAbsolutePath(state))
        return state + QStringLiteral("/highwater");
    const QString home = qEnvironmentVariable("HOME");
    return QDir::isAbsolutePath(home) ? home + QStringLiteral("/.local/state/highwater") : QString();
}

QList<Autosave::Orphan> Autosave::orphans() const
{
    QList<Orphan> found;
    if (m_folder.isEmpty())
        return found;
    for (const QFileInfo& file : QDir(m_folder).entryInfoList({kFilePattern}, QDir::Files, QDir::Time))
        if (file.absoluteFilePath() != m_path && makeLock(file.absoluteFilePath())->tryLock(0))
            found.append({file.absoluteFilePath(), file.lastModified()});
    return found;
}

bool Autosave::lock(const QString& path)
{
    auto lock = makeLock(path);
    if (!lock->tryLock(0))
        return false;
    m_lock = std::move(lock);
    m_path = path;
    return true;
}

bool Autosave::takeOver(const QString& orphan)
{
    remove();
    return QFile::exists(orphan) && lock(orphan);
}

void Autosave::discard(const QString& orphan)
{
    const auto lock = makeLock(orphan);
    if (lock->tryLock(0))
        QFile::remove(orphan);
}

Result<void> Autosave::write(const WorkspaceFile& file)
{
    if (m_folder.isEmpty())
        return {};
    QDir().mkpath(m_folder);
    QFile::setPermissions(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString name
        = m_folder + QStringLiteral("/autosave-%1-%2.highwater").arg(QCoreApplication::applicationPid());
    for (int i = 1; m_path.isEmpty(); ++i)
        if (!QFile::exists(name.arg(i)) && !lock(name.arg(i)) && i > 100)
            return fail(ErrorCode::CannotRead, "cannot be saved: its folder cannot be locked");
    return saveWorkspace(systemPath(m_path), file);
}

void Autosave::remove()
{
    if (m_path.isEmpty())
        return;
    QFile::remove(std::exchange(m_path, QString()));
    m_lock.reset();
}

} // namespace highwater::gui
