#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"

namespace highwater {

/// Position in the file itself, in compressed bytes, whatever sources are stacked on top.
struct SourcePosition
{
    std::uint64_t consumed = 0;
    std::uint64_t total = 0; ///< 0 if unknown (a pipe)
};

/// A stream of bytes, read once from front to back. Sources stack: file → decompression → page → reader.
class ByteSource
{
public:
    virtual ~ByteSource() = default;

    /// Reads at most `buffer.size()` bytes and returns how many; 0 means the end, unless the buffer is empty.
    /// After an error the source must not be read again.
    virtual Result<std::size_t> read(std::span<std::byte> buffer) = 0;
    virtual SourcePosition position() const = 0;
};

} // namespace highwater
