#include "importers/log/text/line_source.h"

#include <cstring>
#include <span>

namespace highwater::logs {

namespace {

/// Returns null if the byte does not occur.
const char* findByte(const char* begin, const char* end, char byte)
{
    return begin == end
        ? nullptr
        : static_cast<const char*>(std::memchr(begin, byte, static_cast<std::size_t>(end - begin)));
}

} // namespace

LineSource::LineSource(ByteSource& source)
    : m_source(source)
    , m_buffer(std::make_unique_for_overwrite<char[]>(kBlock))
    , m_cursor(m_buffer.get())
    , m_end(m_buffer.get())
    , m_searchedUpTo(m_buffer.get())
{
}

void LineSource::refill()
{
    const auto unread = static_cast<std::size_t>(m_end - m_cursor);
    std::memmove(m_buffer.get(), m_cursor, unread);
    m_cursor = m_buffer.get();
    m_end = m_cursor + unread;
    m_lineEnd = nullptr;
    m_searchedUpTo = m_cursor;
    while (!m_sourceEnded && m_end - m_cursor < static_cast<std::ptrdiff_t>(kBlock)) {
        const std::size_t room = kBlock - static_cast<std::size_t>(m_end - m_cursor);
        char* const destination = m_buffer.get() + (m_end - m_buffer.get());
        const Result<std::size_t> got = m_source.read(std::as_writable_bytes(std::span(destination, room)));
        if (!got)
            m_sourceError = got.error();
        m_sourceEnded = got.value_or(0) == 0;
        m_end += got.value_or(0);
    }
}

LinePiece LineSource::takePiece(const char* end, bool skipDelimiter)
{
    LinePiece piece;
    piece.text = {m_cursor, static_cast<std::size_t>(end - m_cursor)};
    piece.line = m_line;
    piece.endsLine = !skipDelimiter || *end == '\n';
    m_line += piece.endsLine;
    m_cursor = end + (skipDelimiter ? 1 : 0);
    return piece;
}

/// Skips everything up to the end of the piece.
void LineSource::skipRest()
{
    for (;;) {
        while (m_cursor != m_end && *m_cursor != '\n' && *m_cursor != '\r')
            ++m_cursor;
        if (m_cursor != m_end || m_sourceEnded)
            return;
        refill();
    }
}

void LineSource::findLineEnd()
{
    if (m_lineEnd && m_lineEnd >= m_cursor)
        return;
    if (m_searchedUpTo < m_cursor)
        m_searchedUpTo = m_cursor;
    m_lineEnd = findByte(m_searchedUpTo, m_end, '\n');
    m_searchedUpTo = m_lineEnd ? m_lineEnd + 1 : m_end;
}

/// Returns the beginning of a piece that is too long. Copies the beginning, because the search for the end of
/// the piece may overwrite the buffer.
LinePiece LineSource::takeBeginning()
{
    if (!m_longPiece)
        m_longPiece = std::make_unique_for_overwrite<char[]>(kLongestPiece);
    std::memcpy(m_longPiece.get(), m_cursor, kLongestPiece);
    LinePiece piece{{m_longPiece.get(), kLongestPiece}, m_line, true, true};
    m_cursor += kLongestPiece;
    skipRest();
    piece.endsLine = m_cursor == m_end || *m_cursor == '\n';
    m_line += piece.endsLine;
    m_cursor += m_cursor != m_end;
    return piece;
}

Result<std::optional<LinePiece>> LineSource::next()
{
    constexpr auto kLongest = static_cast<std::ptrdiff_t>(kLongestPiece);
    findLineEnd();
    if (!m_lineEnd && !m_sourceEnded && m_end - m_cursor <= kLongest) {
        refill();
        findLineEnd();
    }
    const char* end = findByte(m_cursor, m_lineEnd ? m_lineEnd : m_end, '\r');
    if (!end)
        end = m_lineEnd;
    if (end && end - m_cursor <= kLongest)
        return takePiece(end, true);
    if (m_end - m_cursor > kLongest)
        return takeBeginning();
    if (m_sourceError)
        return tl::unexpected<Error>(*m_sourceError);
    if (m_cursor == m_end)
        return std::nullopt;
    return takePiece(m_end, false); // the last line, which has no line feed
}

} // namespace highwater::logs
