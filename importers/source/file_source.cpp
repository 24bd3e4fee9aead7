#include "importers/source/file_source.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater {

namespace {

std::string systemMessage(int error)
{
    char text[256] = {};
    // The GNU form returns the text, which need not be in the buffer.
    return strerror_r(error, text, sizeof text);
}

class FileSource : public ByteSource
{
public:
    FileSource(int descriptor, std::uint64_t total, bool owned)
        : m_descriptor(descriptor)
        , m_owned(owned)
    {
        m_position.total = total;
    }
    ~FileSource() override
    {
        if (m_owned)
            ::close(m_descriptor);
    }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    Result<std::size_t> read(std::span<std::byte> into) override
    {
        ssize_t got;
        do
            got = ::read(m_descriptor, into.data(), into.size());
        while (got < 0 && errno == EINTR);
        if (got < 0)
            return fail(ErrorCode::CannotRead, "cannot be read: " + systemMessage(errno),
                Place::byte(m_position.consumed));
        m_position.consumed += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

    SourcePosition position() const override { return m_position; }

private:
    int m_descriptor;
    bool m_owned;
    SourcePosition m_position;
};

} // namespace

Result<std::unique_ptr<ByteSource>> openFile(const std::string& path)
{
    if (path == "-")
        return std::make_unique<FileSource>(STDIN_FILENO, 0, false);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail(ErrorCode::CannotRead, "cannot be opened: " + systemMessage(errno));
    struct stat status = {};
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        return fail(ErrorCode::CannotRead, "is a directory");
    }
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    const std::uint64_t total = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
    return std::make_unique<FileSource>(descriptor, total, true);
}

} // namespace highwater
