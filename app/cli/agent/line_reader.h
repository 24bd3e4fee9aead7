#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace highwater::cli {

/// A line of a stream, or what came in its place.
struct ReadLine
{
    std::string text;
    bool isTooLong = false; ///< it was longer than the limit, and its text is dropped
};

/// Splits what is read from a file descriptor into lines, and keeps no more of one than the limit.
class LineReader
{
public:
    LineReader(int descriptor, std::size_t mostBytes)
        : m_descriptor(descriptor)
        , m_mostBytes(mostBytes)
    {
    }

    /// Reads what is there, once; waits if nothing is.
    void read();
    /// The next whole line, without its line break; none: there is none yet. At the end of the stream the
    /// rest is a line, too.
    std::optional<ReadLine> next();
    /// The stream has ended, or cannot be read.
    bool hasEnded() const { return m_hasEnded; }

private:
    int m_descriptor;
    std::size_t m_mostBytes;
    std::string m_text; ///< not yet handed out
    bool m_isSkipping = false; ///< within a line that is too long
    bool m_hasEnded = false;
};

} // namespace highwater::cli
