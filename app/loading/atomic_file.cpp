#include "app/loading/atomic_file.h"

#include <atomic>
#include <cerrno>
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

namespace {

std::string reasonOf(int error)
{
    switch (error) {
    case ENOSPC: return "no space left on the device";
    case EDQUOT: return "no space left within the quota";
    case EFBIG: return "it is larger than files may be here";
    case EROFS: return "the file system is read-only";
    case EACCES:
    case EPERM: return "no permission to write in its folder";
    case ENOENT: return "its folder does not exist";
    case ENOTDIR: return "its folder is a file";
    default: return std::generic_category().message(error);
    }
}

tl::unexpected<Error> failure(const std::string& reason)
{
    return fail(ErrorCode::CannotRead, "cannot be saved: " + reason);
}

/// What a path leads to when its last part is a symbolic link, also to a file that is not there. None: the
/// links go in a circle.
std::optional<fs::path> targetOf(fs::path path)
{
    constexpr int kMostLinks = 40;
    std::error_code error;
    for (int links = 0; links < kMostLinks; ++links) {
        if (!fs::is_symlink(path, error))
            return path;
        const fs::path next = fs::read_symlink(path, error);
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return std::nullopt;
}

/// A name that nobody else writes to, in the same folder.
std::string temporaryBeside(const fs::path& target)
{
    static std::atomic<unsigned> count = 0;
    return (target.parent_path() / fmt::format(".highwater-save-{}-{}.part", ::getpid(), ++count)).string();
}

/// Makes the new file as private, or as open, as the one that it will replace.
void takeOverPermissions(int file, const struct stat& old)
{
    [[maybe_unused]] const int owned = ::fchown(file, old.st_uid, old.st_gid); // before: it clears bits
    ::fchmod(file, old.st_mode & 07777);
}

/// A file's new name is on the disk once its folder is. Some file systems cannot say so; the name is there.
void flushFolder(const fs::path& target)
{
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
        return;
    ::fsync(handle);
    ::close(handle);
}

} // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path)
{
    const std::optional<fs::path> target = targetOf(path);
    if (!target)
        return failure("its symbolic links lead nowhere");
    struct stat old = {};
    const bool replaces = ::stat(target->c_str(), &old) == 0;
    if (replaces && !S_ISREG(old.st_mode))
        return failure(S_ISDIR(old.st_mode) ? "it is a folder" : "it is no ordinary file");
    if (replaces && ::access(target->c_str(), W_OK) != 0)
        return failure("the file is write-protected");
    std::string temporary = temporaryBeside(*target);
    const mode_t mode = replaces ? 0600 : 0666;
    const int handle = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (handle < 0)
        return failure(reasonOf(errno));
    if (replaces)
        takeOverPermissions(handle, old);
    std::FILE* const file = ::fdopen(handle, "wb");
    if (!file) {
        ::close(handle);
        ::unlink(temporary.c_str());
        return failure(reasonOf(errno));
    }
    return AtomicFile(target->string(), std::move(temporary), file);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_target(std::move(other.m_target))
    , m_temporary(std::move(other.m_temporary))
    , m_file(std::exchange(other.m_file, nullptr))
    , m_error(other.m_error)
{
}

AtomicFile::~AtomicFile()
{
    if (!m_file)
        return;
    std::fclose(std::exchange(m_file, nullptr));
    ::unlink(m_temporary.c_str());
}

bool AtomicFile::write(std::string_view bytes)
{
    if (m_error == 0 && std::fwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size())
        m_error = errno;
    return m_error == 0;
}

/// All that can still go wrong with the content has gone wrong, or not, when this is done.
void AtomicFile::close()
{
    if (m_error == 0 && (std::fflush(m_file) != 0 || ::fsync(::fileno(m_file)) != 0))
        m_error = errno;
    if (std::fclose(std::exchange(m_file, nullptr)) != 0 && m_error == 0)
        m_error = errno;
}

Result<void> AtomicFile::commit()
{
    close();
    if (m_error == 0 && ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        m_error = errno;
    if (m_error != 0) {
        ::unlink(m_temporary.c_str());
        return failure(reasonOf(m_error));
    }
    flushFolder(m_target);
    return {};
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
