#include "app/rehearse/rehearsal_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater::rehearse {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNamesBegin = "highwater-rehearsal-";
constexpr std::string_view kNamesEnd = "XXXXXX"; // mkdtemp replaces these by letters and digits

bool isRehearsalFolderName(std::string_view name)
{
    const auto isLetterOrDigit
        = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
    return name.size() == kNamesBegin.size() + kNamesEnd.size() && name.starts_with(kNamesBegin)
        && std::ranges::all_of(name.substr(kNamesBegin.size()), isLetterOrDigit);
}

/// Opens a folder, but never through a link; −1 if there is none.
int openFolder(const fs::path& path)
{
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Returns false if another process holds the lock or, as errno shows, locks are not supported.
bool tryLock(int handle)
{
    return ::flock(handle, LOCK_EX | LOCK_NB) == 0;
}

/// Removes a folder only if it belongs to this user and its lock is free: then no living process uses it.
void removeIfUnused(const fs::path& path)
{
    const int handle = openFolder(path);
    if (handle < 0)
        return;
    struct stat status = {};
    std::error_code ignored;
    if (::fstat(handle, &status) == 0 && status.st_uid == ::geteuid() && tryLock(handle))
        fs::remove_all(path, ignored);
    ::close(handle);
}

/// Removes the folders of rehearsals whose processes have ended.
void removeLeftovers(const fs::path& parent)
{
    constexpr int kMaxNames = 100'000;
    std::error_code error;
    int names = 0;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end && ++names < kMaxNames;
         entry.increment(error))
        if (isRehearsalFolderName(entry->path().filename().string()))
            removeIfUnused(entry->path());
}

} // namespace

Result<RehearsalFolder> RehearsalFolder::create(const fs::path& parent)
{
    constexpr int kMaxTries = 100; // another process may take a new folder for a leftover before it is locked
    removeLeftovers(parent);
    for (int tries = 0; tries < kMaxTries; ++tries) {
        std::string path = (parent / std::string(kNamesBegin).append(kNamesEnd)).string();
        if (!::mkdtemp(path.data()))
            break;
        const int handle = openFolder(path);
        const bool isLocked = handle >= 0 && tryLock(handle);
        const bool isTaken = !isLocked && errno == EWOULDBLOCK;
        std::error_code ignored;
        if (handle >= 0 && !isTaken && fs::exists(path, ignored))
            return RehearsalFolder(path, handle, isLocked);
        if (handle >= 0)
            ::close(handle);
    }
    return fail(ErrorCode::CannotRead, "no temporary folder can be created");
}

RehearsalFolder::RehearsalFolder(RehearsalFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_handle(std::exchange(other.m_handle, -1))
    , m_isLocked(other.m_isLocked)
{
}

RehearsalFolder::~RehearsalFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    // The lock is released last: a process that waits for it then finds no folder, and knows that all went
    // well.
    if (m_handle >= 0)
        ::close(m_handle);
}

} // namespace highwater::rehearse
