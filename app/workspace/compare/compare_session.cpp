#include "app/workspace/compare/compare_session.h"

#include <QFileInfo>

#include "app/loading/run/main_of_folder.h"
#include "app/loading/run_description.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/interruption.h"

namespace highwater::gui {

CompareSession::CompareSession(QObject* parent)
    : QObject(parent)
{
    connect(&m_loader, &DocumentLoader::loaded, this, &CompareSession::takeLoaded);
    connect(&m_loader, &DocumentLoader::failed, this, &CompareSession::failed);
}

void CompareSession::open(const QString& path, Role role, std::optional<std::int64_t> rank)
{
    m_wantedRole = role;
    m_choosing.drop();
    if (!QFileInfo(path).isDir())
        return m_loader.open(path);
    m_loader.cancel(); // otherwise, what it is loading would get the new role
    m_choosing.run([this, path, rank]() -> LatestTask::Delivery {
        LoadOptions options;
        options.stop = InterruptibleScope::currentToken();
        Result<FolderChoice> chosen = chooseInFolder(systemPath(path), rank, options);
        if (!chosen && rank && chosen.error().code == ErrorCode::BadRequest)
            chosen = chooseInFolder(systemPath(path), {}, options);
        return [this, path, chosen] {
            if (chosen)
                m_loader.open(qtPath(chosen->path()));
            else if (chosen.error().code != ErrorCode::Cancelled)
                emit failed(path, toQString(toText(chosen.error())));
        };
    });
}

void CompareSession::cancel()
{
    m_choosing.drop();
    m_loader.cancel();
}

void CompareSession::takeLoaded(const std::shared_ptr<const Document>& document)
{
    if (!document->mainDevice && !isLog(document->trace())) {
        emit failed(qtPath(document->path), tr("it has no memory events, so there is nothing to compare"));
        return;
    }
    m_other = document;
    m_role = m_wantedRole;
    announce();
}

void CompareSession::setShown(std::optional<RunChoice> shown, std::shared_ptr<const Document> log)
{
    if (shown == m_shown && log == m_shownLog)
        return;
    m_shown = std::move(shown);
    m_shownLog = std::move(log);
    if (m_other && !m_shown && !m_shownLog)
        close();
    else
        announce();
}

void CompareSession::announce()
{
    if (!m_other || (!m_shown && !m_shownLog))
        return;
    const bool isOtherLog = !m_other->mainDevice;
    if (isOtherLog != (m_shownLog != nullptr)) {
        refuse(
            tr("a log cannot be compared with a recording. Open them together to see both on one time axis"));
    } else if (isOtherLog) {
        announceLogs();
    } else {
        RunChoice other{m_other, deviceLike(*m_other, *m_shown), m_shown->settings};
        removeRecordedSettings(other.settings, m_other->trace());
        m_role == Role::Before ? emit ready(other, *m_shown) : emit ready(*m_shown, other);
    }
}

void CompareSession::announceLogs()
{
    m_role == Role::Before ? emit logsReady(m_other, m_shownLog) : emit logsReady(m_shownLog, m_other);
}

void CompareSession::close()
{
    cancel();
    if (std::exchange(m_other, nullptr))
        emit closed();
}

void CompareSession::refuse(const QString& sentence)
{
    const QString path = otherPath();
    close();
    emit failed(path, sentence);
}

QString CompareSession::otherPath() const
{
    return m_other ? qtPath(m_other->path) : QString();
}

DeviceIndex deviceLike(const Document& document, const RunChoice& otherRun)
{
    const std::string wanted = otherRun.document->devices[otherRun.device]->info().label();
    for (const std::shared_ptr<const DeviceAnalysis>& device : document.devices)
        if (device->info().label() == wanted && device->allocations.size() > 0)
            return device->device;
    return *document.mainDevice;
}

} // namespace highwater::gui
