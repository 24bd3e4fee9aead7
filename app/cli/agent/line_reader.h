#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace highwater::cli {

/// A line of a stream.
struct ReadLine
{
    std::string text;
    bool isTooLong = false; ///< longer than the limit; its text was dropped
};

/// Splits the input from a file descriptor into lines, and keeps at most the limit of each.
class LineReader
{
public:
    LineReader(int descriptor, std::size_t mostBytes)
        : m_descriptor(descriptor)
        , m_mostBytes(mostBytes)
    {
    }

    /// Reads once what is available; waits if nothing is.
    void read();
    /// Returns the next whole line, without its line break; nullopt if there is none yet. At the end of the
    /// stream the rest is a line, too.
    std::optional<ReadLine> next();
    /// True if the stream has ended or cannot be read.
    bool hasEnded() const { return m_hasEnded; }

private:
    int m_descriptor;
    std::size_t m_mostBytes;
    std::string m_text; ///< not yet returned
    bool m_isSkipping = false; ///< within a line that is too long
    bool m_hasEnded = false;
};

} // namespace highwater::cli
