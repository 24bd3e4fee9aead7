#pragma once

#include <memory>

#include "importers/source/byte_source.h"

namespace highwater {

/// Reads `inner` in its own thread, a bounded number of pieces ahead of the reader.
std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> inner);

} // namespace highwater
