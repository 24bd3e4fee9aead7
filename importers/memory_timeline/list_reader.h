#pragma once

#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "importers/source/read_buffer.h"

namespace highwater::memory_timeline {

enum class TokenKind : std::uint8_t
{
    Open, ///< a list begins
    Close,
    Number, ///< a 64-bit integer
    OtherValue, ///< a fraction, text or null, or an integer beyond 64 bits
    End, ///< end of the source, or an error (`ListReader::error`)
};

/// A token of a JSON text that contains only lists of numbers.
struct Token
{
    TokenKind kind = TokenKind::End;
    std::int64_t number = 0;
    std::uint64_t offset = 0; ///< byte at which the token begins
};

/// Reads nested JSON lists of numbers from a stream, token by token; only a window of the text is in memory.
/// Commas and brackets must be where JSON requires them.
class ListReader
{
public:
    /// The source must outlive the reader.
    explicit ListReader(ByteSource& source)
        : m_buffer(source)
        , m_cursor(m_buffer.cursor())
        , m_end(m_buffer.end())
    {
    }

    /// Returns the next token; after End, always End.
    Token next();
    /// Returns why the text could not be read to its end: the source's error, Truncated, or Malformed with
    /// its byte. Unset if the outermost list is complete and nothing follows it.
    const std::optional<Error>& error() const { return m_error; }
    std::uint64_t offset() const { return m_buffer.offsetOf(m_cursor); }

private:
    enum class Expected : std::uint8_t
    {
        Text, ///< nothing has been read
        ValueOrClose, ///< directly after the beginning of a list
        Value, ///< after a comma
        CommaOrClose, ///< after a value
        Nothing, ///< after the outermost list
    };

    static constexpr int kNoCharacter = -1;

    bool refill();
    int current() { return m_cursor < m_end || refill() ? *m_cursor : kNoCharacter; }
    int skipBlanks();
    /// Returns the token of a value, after which a comma or the end of its list is expected.
    Token finishValue(TokenKind kind, std::uint64_t offset, std::int64_t number = 0);
    Token open(std::uint64_t offset);
    Token close(std::uint64_t offset);
    Token readValue(int first, std::uint64_t offset);
    Token readNumber(std::uint64_t offset);
    Token readText(std::uint64_t offset);
    Token readWord(std::uint64_t offset);
    Token end();
    Token fail(std::uint64_t offset);

    ReadBuffer m_buffer;
    const std::uint8_t* m_cursor;
    const std::uint8_t* m_end;
    int m_depth = 0;
    Expected m_expected = Expected::Text;
    bool m_ended = false;
    std::optional<Error> m_error;
};

} // namespace highwater::memory_timeline
