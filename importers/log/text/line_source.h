#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::logs {

/// A piece of a line, up to a line feed or carriage return. Progress bars redraw themselves with carriage
/// returns.
struct LinePiece
{
    std::string_view text; ///< without line end, at most kLongestPiece bytes; valid until the next call
    std::uint64_t line = 0; ///< 1-based
    bool cut = false; ///< the piece was longer than kLongestPiece; its rest is skipped
    bool endsLine = false; ///< true if a line feed or the end of the text follows
};

/// Splits a stream of bytes at line feeds and carriage returns. Memory does not grow with the length of a
/// line. An error of the stream is reported after all complete pieces. An incomplete piece before the error
/// is dropped, because half a figure looks like a complete one.
class LineSource
{
public:
    static constexpr std::size_t kLongestPiece = 64 * 1024;
    static constexpr std::size_t kBlock = 1024 * 1024;

    explicit LineSource(ByteSource& source);

    /// Returns the next piece, even if it is blank; nothing at the end, or the error that ended the stream.
    Result<std::optional<LinePiece>> next();

private:
    void refill();
    LinePiece takePiece(const char* end, bool skipDelimiter);
    void skipRest();
    void findLineEnd();
    LinePiece takeBeginning();

    ByteSource& m_source;
    std::unique_ptr<char[]> m_buffer;
    std::unique_ptr<char[]> m_longPiece; ///< the beginning of a piece that is too long
    const char* m_cursor;
    const char* m_end;
    const char* m_lineEnd = nullptr; ///< the next line feed, if it has been found
    const char* m_searchedUpTo; ///< there is no other line feed before this position
    std::uint64_t m_line = 1;
    bool m_sourceEnded = false;
    std::optional<Error> m_sourceError; ///< the error that ended the source early
};

} // namespace highwater::logs
