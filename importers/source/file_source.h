#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/interruption.h"
#include "importers/source/byte_source.h"
#include "importers/source/file_identity.h"

namespace highwater {

/// An open file.
struct OpenFile
{
    std::unique_ptr<ByteSource> bytes;
    std::optional<FileIdentity> identity; ///< before anything was read of it; none: no regular file
};

/// True if there is a regular file, also behind a link, that is stored somewhere: one that the kernel makes
/// up while it is read (/proc/kmsg, /proc/kcore) need have no end. Opens nothing.
bool isFileAtRest(const std::string& path);

/// Opens a regular file or a pipe; "-" is standard input. A directory is refused. Waiting for a pipe, also
/// for somebody who opens it for writing, ends with Cancelled after a request to stop; nothing else is waited
/// for.
Result<std::unique_ptr<ByteSource>> openFile(
    const std::string& path, const StopToken& stop = InterruptibleScope::currentToken());
/// The same, with the identity of the file that was opened.
Result<OpenFile> openIdentified(const std::string& path, const StopToken& stop);

} // namespace highwater
