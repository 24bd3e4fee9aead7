#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace highwater {

/// By which a file on disk is recognised. A file that is written to, also with its size and modification time
/// put back, gets another change time; a file that replaces it is another inode.
struct FileIdentity
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modified = 0; ///< ns since the Unix epoch
    std::int64_t changed = 0; ///< content, name or attributes; ns since the Unix epoch, no program can set it

    bool operator==(const FileIdentity&) const = default;
};

/// The identity of an open file; none unless it is a regular file.
std::optional<FileIdentity> identityOf(int descriptor);
/// The identity of the file that has this path now; none unless it is a regular file.
std::optional<FileIdentity> identityAt(const std::string& path);

/// True if a change of the file from now on will show in its identity. It need not within a tick of the file
/// system's clock after the last change: some milliseconds, or two seconds where it keeps whole seconds.
bool isSettled(const FileIdentity& file);

} // namespace highwater
