#include "app/workspace/document/folder_watcher.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {

constexpr std::chrono::milliseconds kInterval{1'000};

/// Returns the complete recording that was written last; empty if there is none. Reads files until it finds
/// one.
QString newestRecording(std::vector<ListedFile> files, const StopToken& stop)
{
    std::ranges::sort(files, std::greater(), &ListedFile::changed);
    const auto newest = std::ranges::find_if(files, [&stop](const ListedFile& file) {
        return file.bytes > 0 && classifyArrival(file.path, stop) == Arrival::Recording;
    });
    return newest == files.end() ? QString() : qtPath(newest->path);
}

Nanoseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

FolderWatcher::FolderWatcher(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kInterval);
    connect(&m_timer, &QTimer::timeout, this, &FolderWatcher::startCheck);
}

void FolderWatcher::setTimes(std::chrono::milliseconds interval, std::chrono::milliseconds quietTime)
{
    m_timer.setInterval(interval);
    m_quietTime = std::chrono::nanoseconds(quietTime).count();
}

void FolderWatcher::start(const QString& folder)
{
    stop();
    m_folder = folder;
    m_watch = std::make_shared<std::optional<FolderWatch>>();
    m_timer.start();
    startCheck();
}

void FolderWatcher::stop()
{
    m_timer.stop();
    m_jobs.drop();
    m_isChecking = false;
    m_hasBegun = false;
    m_folder.clear();
    m_watch.reset();
}

void FolderWatcher::startCheck()
{
    if (std::exchange(m_isChecking, true))
        return;
    m_jobs.start(
        [this, folder = systemPath(m_folder), watch = m_watch, quietTime = m_quietTime](const Job& job) {
            const CheckResult result = checkFolder(folder, *watch, quietTime, job.stop());
            job.post([this, result] { takeCheck(result); });
        });
}

FolderWatcher::CheckResult FolderWatcher::checkFolder(const std::string& folder,
    std::optional<FolderWatch>& watch, Nanoseconds quietTime, const StopToken& stop)
{
    CheckResult result;
    const Result<std::vector<ListedFile>> listing = listRecordings(folder);
    if (!listing) {
        result.error = toQString(toText(listing.error()));
    } else if (!watch) {
        watch.emplace(*listing, quietTime);
        result.newest = newestRecording(*listing, stop);
    } else {
        for (const std::string& path : watch->look(*listing, steadyNow())) {
            const Arrival arrival = classifyArrival(path, stop);
            if (arrival != Arrival::Log)
                (arrival == Arrival::Recording ? result.complete : result.incomplete) << qtPath(path);
        }
    }
    return result;
}

void FolderWatcher::takeCheck(const CheckResult& result)
{
    m_isChecking = false;
    if (!result.error.isEmpty()) {
        const QString folder = m_folder;
        stop();
        emit failed(folder, result.error);
        return;
    }
    if (!std::exchange(m_hasBegun, true))
        emit began(result.newest);
    for (const QString& path : result.incomplete)
        emit incomplete(path);
    if (!result.complete.isEmpty())
        emit arrived(result.complete);
}

} // namespace highwater::gui
