#include "importers/kineto/text_window.h"

#include <algorithm>
#include <cstring>

#include "importers/source/limit_error.h"

namespace highwater::kineto {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// True for errors after which the text before them must not be used.
bool isFatal(const Error& error)
{
    return error.code == ErrorCode::Cancelled || error.code == ErrorCode::LimitExceeded;
}

} // namespace

void TextWindow::drop(std::size_t bytes)
{
    m_begin += bytes;
    m_size -= bytes;
    m_offset += bytes;
}

Result<void> TextWindow::fill(std::size_t bytes)
{
    if (m_size >= bytes || m_isLast)
        return {};
    if (m_begin > 1) { // keep the byte before the view, too
        std::memmove(m_text.data(), m_text.data() + m_begin - 1, m_size + 1);
        m_begin = 1;
    }
    while (m_size < bytes && !m_isLast) {
        if ((m_size + kPadding) * kMemoryFactor > m_maxMemoryBytes)
            return tl::unexpected(memoryLimitError(m_maxMemoryBytes));
        const std::size_t piece = std::min(kPieceBytes, bytes - m_size);
        m_text.resizeForOverwrite(std::max(m_text.size(), m_begin + m_size + piece + kPadding));
        const Result<std::size_t> got
            = m_source.read(std::as_writable_bytes(std::span(m_text.data() + m_begin + m_size, piece)));
        if (!got && isFatal(got.error()))
            return tl::unexpected<Error>(got.error());
        if (!got)
            m_cutShort = got.error();
        m_isLast = got.value_or(0) == 0;
        m_size += got.value_or(0);
    }
    std::memset(m_text.data() + m_begin + m_size, 0, kPadding);
    return {};
}

} // namespace highwater::kineto
