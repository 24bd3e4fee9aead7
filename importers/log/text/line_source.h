#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::logs {

/// A piece of a line: the part between two carriage returns, with which progress bars repaint themselves.
struct LinePiece
{
    std::string_view text; ///< without line end, at most kLongestPiece bytes; valid until the next one
    std::uint64_t line = 0; ///< 1-based
    bool cut = false; ///< the piece goes on; the rest is left out
    bool endsLine = false; ///< a line feed follows, or the end of the text
};

/// Splits a stream of bytes into lines and those at carriage returns. Memory does not grow with the length of
/// a line. An error of the stream comes after all lines before it; the line that it cuts is left out, since
/// half a figure reads like a whole one.
class LineSource
{
public:
    static constexpr std::size_t kLongestPiece = 64 * 1024;
    static constexpr std::size_t kBlock = 1024 * 1024;

    explicit LineSource(ByteSource& source);

    /// The next piece, blank ones included; none at the end, or the error that ended the stream.
    Result<std::optional<LinePiece>> next();

private:
    void refill();
    LinePiece take(const char* end, bool skipDelimiter);
    void skipRest();
    void findLineEnd();
    LinePiece takeBeginning();

    ByteSource& m_source;
    std::unique_ptr<char[]> m_buffer;
    std::unique_ptr<char[]> m_kept; ///< of a piece that is too long
    const char* m_cursor;
    const char* m_end;
    const char* m_lineEnd = nullptr; ///< the next line feed, where it has been found
    const char* m_searched; ///< up to here there is no other
    std::uint64_t m_line = 1;
    bool m_sourceEnded = false;
    std::optional<Error> m_trouble; ///< why the source ended before its end
};

} // namespace highwater::logs
