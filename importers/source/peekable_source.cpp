#include "importers/source/peekable_source.h"

#include <algorithm>
#include <cstring>

namespace highwater {

namespace {

constexpr std::size_t kPeekPieceBytes = 64 * 1024;

} // namespace

Result<std::string_view> PeekableSource::peek(std::size_t bytes)
{
    while (m_ahead.size() - m_taken < bytes && !m_pending) {
        const std::size_t available = m_ahead.size();
        // Grows in pieces, so that peeking at a short file takes no more memory than its length.
        m_ahead.resize(std::min(m_taken + bytes, available + std::max(available, kPeekPieceBytes)));
        const Result<std::size_t> got = m_inner->read(std::span(m_ahead).subspan(available));
        m_ahead.resize(available + got.value_or(0));
        if (!got)
            m_pending = got.error();
        else if (*got == 0)
            break;
    }
    if (m_ahead.size() == m_taken && m_pending)
        return tl::unexpected<Error>(*m_pending);
    const std::size_t available = std::min(bytes, m_ahead.size() - m_taken);
    return std::string_view(reinterpret_cast<const char*>(m_ahead.data() + m_taken), available);
}

Result<std::size_t> PeekableSource::read(std::span<std::byte> buffer)
{
    if (m_taken < m_ahead.size()) {
        const std::size_t count = std::min(buffer.size(), m_ahead.size() - m_taken);
        std::memcpy(buffer.data(), m_ahead.data() + m_taken, count);
        m_taken += count;
        return count;
    }
    if (m_pending)
        return tl::unexpected<Error>(*m_pending);
    return m_inner->read(buffer);
}

Result<std::size_t> MemorySource::read(std::span<std::byte> buffer)
{
    const std::size_t count = std::min(buffer.size(), m_content.size() - m_taken);
    std::memcpy(buffer.data(), m_content.data() + m_taken, count);
    m_taken += count;
    return count;
}

} // namespace highwater
