#pragma once

#include <memory>

#include "importers/source/byte_source.h"

namespace highwater {

/// Returns a source that reads `inner` in its own thread, up to 1 MiB ahead of the reader. Returns `inner`
/// itself if no thread can be started.
std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> inner);

} // namespace highwater
