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

/// Splits the bytes from a file descriptor into lines. The text of a line with more than `maxBytes` is
/// dropped, so that the memory in use is bounded.
class LineReader
{
public:
    LineReader(int descriptor, std::size_t maxBytes)
        : m_descriptor(descriptor)
        , m_maxBytes(maxBytes)
    {
    }

    /// Reads up to 64 KiB of the bytes that are available; waits for some if there are none.
    void read();
    /// Returns the next whole line that was read, without its line break (LF or CR LF); nullopt if there is
    /// none. Once the stream has ended, the rest is a line, too.
    std::optional<ReadLine> next();
    /// True if the stream has ended or cannot be read; `next` may still return lines.
    bool hasEnded() const { return m_hasEnded; }

private:
    int m_descriptor;
    std::size_t m_maxBytes;
    std::string m_text; ///< not yet returned
    bool m_isSkipping = false; ///< within a line that is too long
    bool m_hasEnded = false;
};

} // namespace highwater::cli
