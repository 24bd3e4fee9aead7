#include "importers/memory_timeline/list_reader.h"

#include <limits>

#include "core/base/characters.h"

namespace highwater::memory_timeline {

namespace {

/// Deepest nesting: a list that contains a list of rows of numbers.
constexpr int kMaxDepth = 3;

/// True for any byte of the mark in UTF-8.
bool isByteOrderMark(int c)
{
    return c == 0xEF || c == 0xBB || c == 0xBF;
}

/// True for characters that occur in numbers, including those that are not integers.
bool continuesNumber(int c)
{
    return isDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

} // namespace

bool ListReader::refill()
{
    if (m_error || m_buffer.sourceEnded())
        return false;
    m_buffer.setCursor(m_cursor);
    const Result<void> filled = m_buffer.ensure(1);
    if (!filled)
        m_error = filled.error();
    m_cursor = m_buffer.cursor();
    m_end = m_buffer.end();
    return m_cursor < m_end;
}

int ListReader::skipBlanks()
{
    int c = current();
    while (isBlank(c) || (m_expected == Expected::Text && isByteOrderMark(c))) {
        ++m_cursor;
        c = current();
    }
    return c;
}

Token ListReader::finishValue(TokenKind kind, std::uint64_t offset, std::int64_t number)
{
    m_expected = m_depth == 0 ? Expected::Nothing : Expected::CommaOrClose;
    return {kind, number, offset};
}

Token ListReader::end()
{
    m_ended = true;
    if (!m_error && m_expected != Expected::Nothing)
        m_error = Error{
            ErrorCode::Truncated, "the file ends in the middle of the timeline", Place::byte(offset())};
    return {TokenKind::End, 0, offset()};
}

Token ListReader::fail(std::uint64_t offset)
{
    if (current() == kNoCharacter) // the text is valid, but ends here
        return end();
    m_ended = true;
    m_error = Error{ErrorCode::Malformed, "is not valid JSON of lists of numbers", Place::byte(offset)};
    return {TokenKind::End, 0, offset};
}

Token ListReader::open(std::uint64_t offset)
{
    if (m_depth == kMaxDepth)
        return fail(offset);
    ++m_cursor;
    ++m_depth;
    m_expected = Expected::ValueOrClose;
    return {TokenKind::Open, 0, offset};
}

Token ListReader::close(std::uint64_t offset)
{
    ++m_cursor;
    --m_depth;
    return finishValue(TokenKind::Close, offset);
}

Token ListReader::next()
{
    if (m_ended)
        return {TokenKind::End, 0, offset()};
    int c = skipBlanks();
    if (m_expected == Expected::CommaOrClose && c == ',') {
        ++m_cursor;
        m_expected = Expected::Value;
        c = skipBlanks();
    } else if (m_expected == Expected::CommaOrClose && c != ']' && c != kNoCharacter) {
        return fail(offset());
    }
    if (c == kNoCharacter)
        return end();
    const std::uint64_t tokenBegin = offset();
    if (m_expected == Expected::Nothing)
        return fail(tokenBegin);
    if (c == ']' && m_expected != Expected::Value && m_depth > 0)
        return close(tokenBegin);
    if (c == '[')
        return open(tokenBegin);
    return m_depth > 0 ? readValue(c, tokenBegin) : fail(tokenBegin);
}

Token ListReader::readValue(int first, std::uint64_t offset)
{
    if (isDigit(first) || first == '-')
        return readNumber(offset);
    if (first == '"')
        return readText(offset);
    return isLetter(first) ? readWord(offset) : fail(offset);
}

Token ListReader::readNumber(std::uint64_t offset)
{
    const bool isNegative = current() == '-';
    m_cursor += isNegative ? 1 : 0;
    bool isInteger = isDigit(current());
    if (!isInteger)
        return fail(offset);
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    std::uint64_t value = 0;
    for (int c = current(); isDigit(c); c = current()) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        isInteger = isInteger && value <= (kLargest - digit) / 10;
        value = isInteger ? value * 10 + digit : 0;
        ++m_cursor;
    }
    for (; continuesNumber(current()); ++m_cursor)
        isInteger = false;
    if (current() == kNoCharacter) // the last digits may be missing
        return end();
    const auto number = static_cast<std::int64_t>(value);
    return isInteger ? finishValue(TokenKind::Number, offset, isNegative ? -number : number)
                     : finishValue(TokenKind::OtherValue, offset);
}

Token ListReader::readText(std::uint64_t offset)
{
    ++m_cursor;
    for (int c = current(); c != '"'; c = current()) {
        if (c == kNoCharacter)
            return end();
        ++m_cursor;
        if (c == '\\' && current() != kNoCharacter)
            ++m_cursor;
    }
    ++m_cursor;
    return finishValue(TokenKind::OtherValue, offset);
}

Token ListReader::readWord(std::uint64_t offset)
{
    while (isLetter(current()))
        ++m_cursor;
    return finishValue(TokenKind::OtherValue, offset);
}

} // namespace highwater::memory_timeline
