#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"

namespace highwater {

/// How far the file itself has been read: compressed bytes, whatever is stacked on top.
struct SourcePosition
{
    std::uint64_t consumed = 0;
    std::uint64_t total = 0; ///< 0: not known (a pipe)
};

/// A stream of bytes, read once from front to back. Sources stack: file → decompression → page → reader.
class ByteSource
{
public:
    virtual ~ByteSource() = default;

    /// Fills at most `into.size()` bytes and returns how many; 0 means the end. After an error the source
    /// must not be read again.
    virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    virtual SourcePosition position() const = 0;
};

} // namespace highwater
