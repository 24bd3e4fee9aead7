#include "importers/nsys/database_file.h"

#include <bit>
#include <fstream>
#include <span>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "importers/source/limit_error.h"

namespace highwater::nsys {

namespace {

// Offsets in the header, which is 100 bytes long; numbers are big-endian.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kWriteVersionAt = 18;
constexpr std::size_t kReadVersionAt = 19;
constexpr std::size_t kChangeCounterAt = 24;
constexpr std::size_t kPageCountAt = 28;
constexpr std::size_t kValidForAt = 92;

/// SQLite's lock bytes begin at this offset.
constexpr off_t kLockBytesAt = 0x40000000;
constexpr off_t kLockBytes = 512;

/// Missing parts are filled only if at least one part in this many is present.
constexpr std::uint64_t kMaxMissing = 100;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Decodes a big-endian number.
std::uint64_t numberAt(std::string_view header, std::size_t offset, std::size_t size)
{
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
        number = number << 8 | static_cast<unsigned char>(header[offset + i]);
    return number;
}

/// Returns 0 if the header has no valid page size.
std::uint64_t pageBytesOf(std::string_view header)
{
    if (header.size() < kHeaderBytes || !header.starts_with(kMagic))
        return 0;
    const std::uint64_t stored = numberAt(header, kPageSizeAt, 2);
    const std::uint64_t pageBytes = stored == 1 ? 65536 : stored;
    return pageBytes >= 512 && std::has_single_bit(pageBytes) ? pageBytes : 0;
}

Error truncatedError(std::uint64_t present, std::optional<std::uint64_t> declared)
{
    const std::string total
        = declared ? fmt::format(" of {} bytes", formatCount(*declared)) : std::string(" bytes");
    return {ErrorCode::Truncated,
        fmt::format("the database ends early, with {}{}", formatCount(present), total), Place::byte(present)};
}

/// Replaces missing parts by empty pages, so that the library finds damage only when it needs a missing page.
/// Content in memory has no write-ahead log, so the header must not ask for one.
void fillMissingPages(std::string& content, std::uint64_t declared, std::uint64_t maxBytes)
{
    if (declared > content.size() && declared <= maxBytes && declared / kMaxMissing <= content.size())
        content.resize(static_cast<std::size_t>(declared), '\0');
    content[kWriteVersionAt] = content[kReadVersionAt] = 1;
}

/// True for errors after which the content before them must not be used.
bool endsImport(ErrorCode code)
{
    return code == ErrorCode::Cancelled || code == ErrorCode::LimitExceeded;
}

} // namespace

std::optional<std::uint64_t> declaredBytes(std::string_view header)
{
    const std::uint64_t pageBytes = pageBytesOf(header);
    if (pageBytes == 0 || numberAt(header, kChangeCounterAt, 4) != numberAt(header, kValidForAt, 4))
        return std::nullopt;
    const std::uint64_t pages = numberAt(header, kPageCountAt, 4);
    return pages > 0 ? std::optional(pages * pageBytes) : std::nullopt;
}

std::uint64_t fileBytes(const std::string& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)
        ? static_cast<std::uint64_t>(status.st_size)
        : 0;
}

bool isCompleteFile(const std::string& path)
{
    const std::uint64_t present = fileBytes(path);
    if (present < kHeaderBytes)
        return false;
    std::string header(kHeaderBytes, '\0');
    std::ifstream file(path, std::ios::binary);
    if (!file.read(header.data(), static_cast<std::streamsize>(header.size())))
        return false;
    return declaredBytes(header).value_or(0) <= present;
}

Result<void> checkNotBeingWritten(const std::string& path)
{
    if (fileBytes(path + "-journal") > 0)
        return fail(ErrorCode::CannotRead,
            "is half-written (the journal of an interrupted export is next to it); export the report again");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return {};
    struct flock lock = {};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kLockBytesAt;
    lock.l_len = kLockBytes;
    const bool isLocked = ::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
    ::close(file);
    if (isLocked)
        return fail(
            ErrorCode::CannotRead, "is being written by another program; wait until the export has ended");
    return {};
}

bool hasWriteAheadLog(const std::string& path)
{
    return fileBytes(path + "-wal") > 0;
}

Result<std::string> readContent(ByteSource& source, std::uint64_t maxBytes, std::optional<Error>& missing)
{
    std::string content;
    for (std::size_t got = 1; got > 0;) {
        const std::size_t bytesSoFar = content.size();
        if (bytesSoFar > maxBytes)
            return tl::unexpected(memoryLimitError(maxBytes));
        content.resize(bytesSoFar + kPieceBytes);
        const Result<std::size_t> read
            = source.read(std::as_writable_bytes(std::span(content.data() + bytesSoFar, kPieceBytes)));
        if (!read && endsImport(read.error().code))
            return tl::unexpected<Error>(read.error());
        if (!read)
            missing = read.error();
        got = read ? *read : 0;
        content.resize(bytesSoFar + got);
    }
    const std::optional<std::uint64_t> declared = declaredBytes(content);
    const std::uint64_t pageBytes = pageBytesOf(content);
    if (!missing && (content.size() < kHeaderBytes || content.size() < declared.value_or(0)))
        missing = truncatedError(content.size(), declared);
    if (pageBytes == 0 || content.size() < pageBytes)
        return tl::unexpected<Error>(missing.value_or(
            Error{ErrorCode::Malformed, "is a database with a damaged header", Place::byte(16)}));
    fillMissingPages(content, declared.value_or(0), maxBytes);
    return content;
}

} // namespace highwater::nsys
