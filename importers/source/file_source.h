#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/interruption.h"
#include "importers/source/byte_source.h"
#include "importers/source/file_identity.h"

namespace highwater {

struct OpenFile
{
    std::unique_ptr<ByteSource> source;
    std::optional<FileIdentity> identity; ///< taken before reading; unset if it is not a regular file
};

/// True if the path is a regular file, or a link to one, on a file system that stores data. Files that the
/// kernel generates while they are read (/proc/kmsg, /proc/kcore) may have no end. Opens nothing.
bool isStoredFile(const std::string& path);

/// Opens a regular file or a pipe; "-" is standard input. Refuses a directory. Waiting for data from a pipe,
/// or for its writer, ends with Cancelled after a request to stop; it never waits for anything else.
Result<std::unique_ptr<ByteSource>> openFile(
    const std::string& path, const StopToken& stop = InterruptibleScope::currentToken());
/// Opens a file like `openFile`, and also returns the identity of the opened file.
Result<OpenFile> openFileWithIdentity(const std::string& path, const StopToken& stop);

} // namespace highwater
