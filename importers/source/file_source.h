#pragma once

#include <memory>
#include <string>

#include "core/base/interruption.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// Opens a regular file or a pipe; "-" is standard input. A directory is refused. Waiting for a pipe, also
/// for somebody who opens it for writing, ends with Cancelled after a request to stop.
Result<std::unique_ptr<ByteSource>> openFile(
    const std::string& path, const StopToken& stop = InterruptibleScope::currentToken());

} // namespace highwater
