#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

namespace highwater {

/// "gzip", "zstd", or empty when the bytes begin neither.
std::string_view compressionOf(std::string_view prefix);

/// Decompresses `inner` while reading, several members or frames one after the other. Gives LimitExceeded
/// once more than `maxBytes` have come out, Truncated where the compressed data end too early.
std::unique_ptr<ByteSource> decompress(
    std::string_view compression, std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes);

} // namespace highwater
