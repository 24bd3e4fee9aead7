#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace highwater {

/// Identifies a version of a file on disk. Writing to the file changes its change time (see `isSettled`),
/// even if its size and modification time are restored. A file that replaces it has another inode.
struct FileIdentity
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modifiedNs = 0; ///< ns since the Unix epoch
    /// Time of the last change of content, name or attributes, in ns since the Unix epoch. Programs cannot
    /// set it.
    std::int64_t changedNs = 0;

    bool operator==(const FileIdentity&) const = default;
};

/// Returns the identity of an open file, or nothing if it is not a regular file.
std::optional<FileIdentity> identityOf(int descriptor);
/// Returns the identity of the file that has this path now, or nothing if there is no regular file.
std::optional<FileIdentity> identityAt(const std::string& path);

/// True if any later change of the file will alter its identity. This is certain two ticks of the file
/// system's clock after the last change. A tick takes some milliseconds, or two seconds if the file system
/// stores whole seconds.
bool isSettled(const FileIdentity& file);

} // namespace highwater
