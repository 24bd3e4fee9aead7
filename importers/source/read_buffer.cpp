#include "importers/source/read_buffer.h"

#include <cstring>

namespace highwater {

ReadBuffer::ReadBuffer(ByteSource& source)
    : m_source(source)
    , m_data(std::make_unique<std::uint8_t[]>(kCapacity + kPadding))
    , m_cursor(m_data.get())
    , m_end(m_data.get())
{
}

Result<void> ReadBuffer::ensure(std::size_t bytes)
{
    if (available() >= bytes || m_sourceEnded)
        return {};
    const std::size_t unread = available();
    m_offset = offsetOf(m_cursor);
    std::memmove(m_data.get(), m_cursor, unread);
    std::size_t filled = unread;
    Result<void> outcome;
    while (filled < bytes) {
        const Result<std::size_t> got
            = m_source.read(std::as_writable_bytes(std::span(m_data.get() + filled, kCapacity - filled)));
        if (!got)
            outcome = tl::unexpected<Error>(got.error());
        m_sourceEnded = got.value_or(0) == 0;
        if (m_sourceEnded)
            break;
        filled += *got;
    }
    m_cursor = m_data.get();
    m_end = m_data.get() + filled;
    std::memset(m_data.get() + filled, 0, kPadding);
    return outcome;
}

} // namespace highwater
