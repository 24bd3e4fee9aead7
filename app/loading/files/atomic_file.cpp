#include "app/loading/files/atomic_file.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater {

namespace fs = std::filesystem;

std::string saveErrorText(int error)
{
    switch (error) {
    case ENOSPC: return "no space left on the disk";
    case EDQUOT: return "no space left within the quota";
    case EFBIG: return "it exceeds the largest file size here";
    case EROFS: return "the file system is read-only";
    case EACCES:
    case EPERM: return "no permission to write in its folder";
    case ENOENT: return "its folder does not exist";
    case ENOTDIR: return "its folder is a file";
    case ENAMETOOLONG: return "its name is too long";
    default: return std::generic_category().message(error);
    }
}

namespace {

tl::unexpected<Error> saveError(const std::string& reason)
{
    return fail(ErrorCode::CannotRead, "cannot be saved: " + reason);
}

fs::path folderOfTarget(const fs::path& target)
{
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Returns the error of a temporary file that cannot be created in the folder.
tl::unexpected<Error> creationError(int error, const fs::path& folder)
{
    std::error_code ignored;
    const bool isSpecialFolder = error == ENOENT && fs::is_directory(folder, ignored); // such as /proc
    return saveError(isSpecialFolder ? "no file can be created in its folder" : saveErrorText(error));
}

/// Follows symbolic links in the last part of a path, even to a file that does not exist; nullopt after 40
/// links.
std::optional<fs::path> followLinks(fs::path path)
{
    constexpr int kMaxLinks = 40;
    std::error_code error;
    for (int links = 0; links < kMaxLinks; ++links) {
        if (!fs::is_symlink(path, error))
            return path;
        const fs::path next = fs::read_symlink(path, error);
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return std::nullopt;
}

constexpr std::string_view kTemporaryPrefix = ".highwater-save-";
constexpr std::size_t kHashDigits = 16;

/// Returns the beginning of the names of all temporary files of this target. The target's own name may
/// already have the maximum length, so it is hashed (FNV-1a, 64 bits).
std::string temporaryPrefixOf(const fs::path& target)
{
    std::uint64_t hash = 14695981039346656037u;
    for (const char byte : target.filename().string())
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    return fmt::format("{}{:016x}-", kTemporaryPrefix, hash);
}

constexpr std::string_view kTemporarySuffix = ".part";

/// Number in the name of this process's latest temporary file.
std::atomic<unsigned> g_lastNumber = 0;

/// Returns the time by the clock that file systems use.
timespec coarseTime()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now;
}

const timespec kProgramStart = coarseTime();

/// The process that made a temporary file, and the number of the file, both from its name.
struct Maker
{
    pid_t process = 0;
    unsigned number = 0;
};

/// Parses the name of a temporary file that begins with `prefix`; nullopt for other names.
std::optional<Maker> makerOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix) || !name.ends_with(kTemporarySuffix)
        || name.size() < prefix.size() + kTemporarySuffix.size())
        return std::nullopt;
    name = name.substr(prefix.size(), name.size() - prefix.size() - kTemporarySuffix.size());
    const char* const nameEnd = name.data() + name.size();
    Maker maker;
    const auto [dash, error] = std::from_chars(name.data(), nameEnd, maker.process);
    if (error != std::errc() || dash == nameEnd || *dash != '-' || maker.process <= 0)
        return std::nullopt;
    const auto [end, numberError] = std::from_chars(dash + 1, nameEnd, maker.number);
    return numberError == std::errc() && end == nameEnd ? std::optional(maker) : std::nullopt;
}

/// True if the process that made the file has ended. A file with this process's id, and a number that this
/// process has not reached, was made by an earlier process with the same id. Call this only after the file
/// has been seen: a file that is made later could otherwise be taken for an old one.
bool isGone(const Maker& maker)
{
    if (maker.process == ::getpid())
        return maker.number > g_lastNumber;
    return ::kill(maker.process, 0) != 0 && errno == ESRCH;
}

/// True if a file was written before this program began. Newer files are never removed: the process that
/// made them may run on another machine or in another container, where it cannot be checked.
bool isOlderThanProgram(const struct stat& status)
{
    return std::pair(status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        < std::pair(kProgramStart.tv_sec, kProgramStart.tv_nsec);
}

/// Removes the temporary files for this target that killed programs have left in the folder; for all targets
/// if `target` is empty. Removes only regular files of this user, and looks at 100,000 names at most.
void removeLeftovers(const fs::path& folder, const fs::path& target)
{
    constexpr int kMaxNames = 100'000;
    std::error_code error;
    int names = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (++names > kMaxNames)
            return;
        const std::string name = entry->path().filename().string();
        const std::string prefix = !target.empty()
            ? temporaryPrefixOf(target)
            : name.substr(0, kTemporaryPrefix.size() + kHashDigits + 1);
        if (!prefix.starts_with(kTemporaryPrefix))
            continue;
        const std::optional<Maker> maker = makerOf(name, prefix);
        struct stat status = {};
        if (maker && ::lstat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode)
            && status.st_uid == ::geteuid() && isOlderThanProgram(status) && isGone(*maker))
            ::unlink(entry->path().c_str());
    }
}

/// A file in the same folder that nobody else writes to.
struct Temporary
{
    std::string path;
    int handle = -1; ///< below 0 if the file could not be made; errno has the reason
};

/// Creates an empty temporary file beside the target.
Temporary makeTemporary(const fs::path& target, mode_t mode)
{
    constexpr int kMaxTries = 100; // names may be taken by leftovers of an earlier process with this id
    const std::string prefix = temporaryPrefixOf(target);
    Temporary temporary;
    for (int tries = 0; tries < kMaxTries; ++tries) {
        temporary.path = (target.parent_path()
            / fmt::format("{}{}-{}{}", prefix, ::getpid(), ++g_lastNumber, kTemporarySuffix))
                             .string();
        temporary.handle = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (temporary.handle >= 0 || errno != EEXIST)
            break;
    }
    return temporary;
}

/// Gives the new file the owner and permissions of the one that it will replace.
void takeOverPermissions(int file, const struct stat& oldStatus)
{
    // The owner is set first, since that clears permission bits.
    [[maybe_unused]] const int owned = ::fchown(file, oldStatus.st_uid, oldStatus.st_gid);
    ::fchmod(file, oldStatus.st_mode & 07777);
}

/// Flushes the folder, which puts the file's new name on the disk. Some file systems cannot do so; errors are
/// ignored, since the name is already in place.
void flushFolder(const fs::path& target)
{
    const int handle = ::open(folderOfTarget(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
        return;
    ::fsync(handle);
    ::close(handle);
}

} // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path)
{
    const std::optional<fs::path> target = followLinks(path);
    if (!target)
        return saveError("its symbolic links lead nowhere");
    struct stat oldStatus = {};
    const bool isReplacing = ::stat(target->c_str(), &oldStatus) == 0;
    if (!isReplacing && errno != ENOENT)
        return creationError(errno, folderOfTarget(*target));
    if (isReplacing && !S_ISREG(oldStatus.st_mode))
        return saveError(S_ISDIR(oldStatus.st_mode) ? "it is a folder" : "it is not a regular file");
    if (isReplacing && ::access(target->c_str(), W_OK) != 0)
        return saveError(errno == EROFS ? saveErrorText(errno) : "the file is write-protected");
    removeLeftovers(folderOfTarget(*target), *target);
    // Copied before the file exists: if memory runs out here, nothing is left behind.
    std::string name = target->string();
    auto [temporary, handle] = makeTemporary(*target, isReplacing ? 0600 : 0666);
    if (handle < 0)
        return creationError(errno, folderOfTarget(*target));
    if (isReplacing)
        takeOverPermissions(handle, oldStatus);
    std::FILE* const file = ::fdopen(handle, "wb");
    if (!file) {
        ::close(handle);
        ::unlink(temporary.c_str());
        return saveError(saveErrorText(errno));
    }
    return AtomicFile(std::move(name), std::move(temporary), file);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_target(std::move(other.m_target))
    , m_temporary(std::exchange(other.m_temporary, {}))
    , m_file(std::exchange(other.m_file, nullptr))
    , m_error(other.m_error)
{
}

AtomicFile::~AtomicFile()
{
    if (m_file)
        std::fclose(m_file);
    discard();
}

void AtomicFile::discard()
{
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
    m_temporary.clear();
}

bool AtomicFile::write(std::string_view bytes)
{
    if (m_error == 0 && std::fwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size())
        m_error = errno;
    return m_error == 0;
}

/// Flushes and closes the file; after this its content can cause no further errors.
void AtomicFile::close()
{
    if (m_error == 0 && (std::fflush(m_file) != 0 || ::fsync(::fileno(m_file)) != 0))
        m_error = errno;
    if (std::fclose(std::exchange(m_file, nullptr)) != 0 && m_error == 0)
        m_error = errno;
}

Result<void> AtomicFile::finish()
{
    if (m_file)
        close();
    return m_error == 0 ? Result<void>() : saveError(saveErrorText(m_error));
}

Result<void> AtomicFile::commit()
{
    if (m_file)
        close();
    if (m_error == 0 && ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        m_error = errno;
    if (m_error != 0) {
        discard();
        return saveError(saveErrorText(m_error));
    }
    m_temporary.clear();
    flushFolder(m_target);
    return {};
}

void removeSaveLeftovers(const std::string& folder)
{
    removeLeftovers(folder, {});
}

Result<void> writeFileAtomically(const std::string& path, std::string_view bytes)
{
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return tl::unexpected(file.error());
    file->write(bytes);
    return file->commit();
}

} // namespace highwater
