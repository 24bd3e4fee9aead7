#include "importers/source/file_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace highwater {

namespace {

/// Returns the system's text for an errno.
std::string systemMessage(int error)
{
    char text[256] = {};
    // The GNU version returns the text, which may be outside the buffer.
    return strerror_r(error, text, sizeof text);
}

bool isRegular(int descriptor)
{
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Returns the number of bytes left to read; 0 if it is unknown, as for a pipe.
std::uint64_t bytesLeft(int descriptor)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    const off_t offset = ::lseek(descriptor, 0, SEEK_CUR); // a shell may have read part of standard input
    return static_cast<std::uint64_t>(status.st_size - std::clamp<off_t>(offset, 0, status.st_size));
}

class FileSource : public ByteSource
{
public:
    FileSource(int descriptor, const StopToken& stop)
        : m_descriptor(descriptor)
        , m_mayWait(!isRegular(descriptor))
        , m_stop(stop)
    {
        m_position.total = bytesLeft(descriptor);
    }
    ~FileSource() override
    {
        if (m_descriptor != STDIN_FILENO)
            ::close(m_descriptor);
    }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        ssize_t got;
        do {
            if (m_mayWait && !waitForBytes())
                return fail(ErrorCode::Cancelled, "cancelled");
            got = ::read(m_descriptor, buffer.data(), buffer.size());
        } while (got < 0 && (errno == EINTR || (m_mayWait && errno == EAGAIN)));
        if (got < 0)
            return fail(ErrorCode::CannotRead, "cannot be read: " + systemMessage(errno),
                Place::byte(m_position.consumed));
        m_position.consumed += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

    SourcePosition position() const override { return m_position; }

private:
    /// Waits until there are bytes, the end or an error. Returns false after a request to stop.
    bool waitForBytes() const
    {
        constexpr int kStopCheckMilliseconds = 100; // longest delay before a stop
        pollfd bytes{m_descriptor, POLLIN, 0};
        while (!m_stop.stopRequested())
            if (::poll(&bytes, 1, kStopCheckMilliseconds) > 0)
                return true;
        return false;
    }

    int m_descriptor;
    bool m_mayWait; ///< not a regular file: reading may wait for bytes
    StopToken m_stop;
    SourcePosition m_position;
};

} // namespace

bool isStoredFile(const std::string& path)
{
    static constexpr std::array kGenerated{PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
        SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC};
    struct stat status = {};
    struct statfs system = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)
        && ::statfs(path.c_str(), &system) == 0
        && std::ranges::find(kGenerated, system.f_type) == kGenerated.end();
}

Result<OpenFile> openFileWithIdentity(const std::string& path, const StopToken& stop)
{
    if (path == "-")
        return OpenFile{std::make_unique<FileSource>(STDIN_FILENO, stop), {}};
    // Without O_NONBLOCK, opening a pipe waits for its writer and ignores requests to stop.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return fail(ErrorCode::CannotRead, "cannot be opened: " + systemMessage(errno));
    struct stat status = {};
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        return fail(ErrorCode::CannotRead, "is a directory");
    }
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    const std::optional<FileIdentity> identity = identityOf(descriptor);
    return OpenFile{std::make_unique<FileSource>(descriptor, stop), identity};
}

Result<std::unique_ptr<ByteSource>> openFile(const std::string& path, const StopToken& stop)
{
    return openFileWithIdentity(path, stop).map([](OpenFile&& file) { return std::move(file.source); });
}

} // namespace highwater
