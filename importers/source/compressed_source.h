#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "importers/source/byte_source.h"

namespace highwater {

/// Returns "gzip" or "zstd" for bytes that begin such data, otherwise an empty text.
std::string_view detectCompression(std::string_view prefix);

/// Compressed data may expand to this size before the ratio is checked.
constexpr std::uint64_t kInflateBytesWithoutRatioCheck = std::uint64_t{256} << 20;
/// Recorded files shrink to between 1/5 and 1/80, snapshots of one repeated step to 1/130, and logs of one
/// repeated line to 1/340 with gzip. With zstd, long files of the last two kinds exceed the ratio.
constexpr std::uint64_t kMaxInflateRatio = 500;

/// Decompresses "gzip" or "zstd" while reading, including several members or frames one after the other.
/// Reading fails with an error of `inner`, and with:
/// - LimitExceeded once the output exceeds `maxBytes`. If `maxBytes` is 0, the limit is
///   `kInflateBytesWithoutRatioCheck`, or `kMaxInflateRatio` times the bytes read from the file itself,
///   whichever is larger.
/// - Truncated if the compressed data end too early, and Malformed if they are damaged, after all output
///   before that.
/// - LimitExceeded if a zstd frame needs too large a window: more than 2 GiB or the rest of the process's
///   memory limit, or more than 128 MiB if the process has no limit. The message gives the size and the
///   remedy.
std::unique_ptr<ByteSource> decompress(
    std::string_view compression, std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes);

} // namespace highwater
