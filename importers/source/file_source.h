#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/interruption.h"
#include "importers/source/byte_source.h"
#include "importers/source/file_identity.h"

namespace highwater {

/// A file that is open for reading.
struct OpenFile
{
    std::unique_ptr<ByteSource> source;
    std::optional<FileIdentity> identity; ///< taken before reading; unset for a pipe and for "-"
};

/// True if the path leads to a regular file on disk. False for one that the kernel generates while it is read
/// (such as /proc/kmsg), because it may have no end. Opens nothing.
bool isStoredFile(const std::string& path);

/// Opens a file, pipe or device without waiting; "-" is standard input. Fails with CannotRead for a
/// directory. Reading from anything but a regular file waits for bytes, and fails with Cancelled after a
/// request to stop.
Result<std::unique_ptr<ByteSource>> openFile(
    const std::string& path, const StopToken& stop = InterruptibleScope::currentToken());
/// Opens a file like `openFile`, and also returns the identity of the opened file.
Result<OpenFile> openFileWithIdentity(const std::string& path, const StopToken& stop);

} // namespace highwater
