#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// Reads exactly the requested bytes of a source.
class ExactReader
{
public:
    /// The source and `endMessage`, the message of the error for a source that ends early, must outlive the
    /// reader.
    ExactReader(ByteSource& source, std::string_view endMessage)
        : m_source(source)
        , m_endMessage(endMessage)
    {
    }

    /// Fills the buffer. Fails with Truncated at the byte where the source ends, or with the source's own
    /// error.
    Result<void> read(char* buffer, std::size_t bytes);
    /// Replaces `out` by the next bytes, and fails like `read`. Memory grows with the bytes that arrive, so
    /// that a false length costs nothing.
    Result<void> readInto(std::string& out, std::uint64_t bytes);
    /// Returns the number of bytes read so far.
    std::uint64_t offset() const { return m_offset; }

private:
    ByteSource& m_source;
    std::string_view m_endMessage;
    std::uint64_t m_offset = 0;
};

} // namespace highwater
