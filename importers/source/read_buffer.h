#pragma once

#include <cstdint>
#include <memory>

#include "importers/source/byte_source.h"

namespace highwater {

/// A window that moves forward over a source.
///
/// A reader works on [cursor, end) with plain pointers, writes back how far it has read, and requests more
/// with `ensure`. The kPadding bytes after `end` are readable and zero.
class ReadBuffer
{
public:
    static constexpr std::size_t kCapacity = 256 * 1024;
    static constexpr std::size_t kPadding = 64;

    explicit ReadBuffer(ByteSource& source);

    const std::uint8_t* cursor() const { return m_cursor; }
    const std::uint8_t* end() const { return m_end; }
    void setCursor(const std::uint8_t* cursor) { m_cursor = cursor; }
    std::size_t available() const { return static_cast<std::size_t>(m_end - m_cursor); }

    /// Makes at least `bytes` (at most kCapacity) available, or all that are left. Returns the source's error
    /// once; the bytes before it are available. Invalidates pointers.
    Result<void> ensure(std::size_t bytes);
    /// Returns the offset of a pointer into the window, counted from the source's first byte.
    std::uint64_t offsetOf(const std::uint8_t* position) const
    {
        return m_offset + static_cast<std::uint64_t>(position - m_data.get());
    }
    /// True once the source has ended or failed; bytes may still be available.
    bool sourceEnded() const { return m_sourceEnded; }

private:
    ByteSource& m_source;
    std::unique_ptr<std::uint8_t[]> m_data;
    const std::uint8_t* m_cursor;
    const std::uint8_t* m_end;
    std::uint64_t m_offset = 0; ///< offset of m_data[0] in the source
    bool m_sourceEnded = false;
};

} // namespace highwater
