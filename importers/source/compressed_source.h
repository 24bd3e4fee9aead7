#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "importers/source/byte_source.h"

namespace highwater {

/// "gzip", "zstd", or empty when the bytes begin neither.
std::string_view compressionOf(std::string_view prefix);

/// Compressed data may expand to this size before the ratio is checked. Recorded files shrink to between a
/// 5th and an 80th, snapshots of one repeated step to a 130th and logs of one repeated line to a 340th with
/// gzip, whose limit is a 1030th. zstd exceeds that for both, if they are long.
constexpr std::uint64_t kUnsuspectedInflateBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostInflateRatio = 500;

/// Decompresses `inner` while reading, several members or frames one after the other. Gives LimitExceeded
/// once more than `maxBytes` have come out; with 0, more than kUnsuspectedInflateBytes and kMostInflateRatio
/// times the bytes that the file itself has given, whatever is stacked between. Gives Truncated where the
/// compressed data end too early, and Malformed where they are damaged, after everything before that.
/// A frame of zstd may ask for a window of up to 2 GiB, which counts towards the process's limit on memory
/// (128 MiB where none is set); LimitExceeded says how large it is and what to do.
std::unique_ptr<ByteSource> decompress(
    std::string_view compression, std::unique_ptr<ByteSource> inner, std::uint64_t maxBytes);

} // namespace highwater
