#pragma once

#include <memory>
#include <string>

#include "importers/source/byte_source.h"

namespace highwater {

/// Opens a regular file or a pipe; "-" is standard input. A directory is refused.
Result<std::unique_ptr<ByteSource>> openFile(const std::string& path);

} // namespace highwater
