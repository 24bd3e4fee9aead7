#include "importers/source/file_identity.h"

#include <ctime>

#include <sys/stat.h>

namespace highwater {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time)
{
    return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

/// Returns nothing for anything but a regular file.
std::optional<FileIdentity> identityFrom(const struct stat& status)
{
    if (!S_ISREG(status.st_mode))
        return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
        nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

} // namespace

std::optional<FileIdentity> identityOf(int descriptor)
{
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 ? identityFrom(status) : std::nullopt;
}

std::optional<FileIdentity> identityAt(const std::string& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? identityFrom(status) : std::nullopt;
}

bool isSettled(const FileIdentity& file)
{
    // File systems take their times from the system's coarse clock.
    timespec now{};
    timespec resolution{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    ::clock_getres(CLOCK_REALTIME_COARSE, &resolution);
    const bool keepsWholeSeconds = file.changedNs % kSecond == 0;
    const std::int64_t tick = keepsWholeSeconds ? 2 * kSecond : nanoseconds(resolution);
    return nanoseconds(now) - file.changedNs >= 2 * tick;
}

} // namespace highwater
