#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::logs {

/// Tells where a program was started again and went on in the same file: its first two lines return, numbers
/// apart.
class StartFinder
{
public:
    /// Lines in order, without colours; blank ones are passed over. `hasFigures`: something was read from
    /// lines since the last start. True: this line is the second one of another start. O(1) for lines of
    /// other lengths.
    bool isStart(std::string_view text, std::uint64_t line, bool hasFigures);

    /// Of each start, the first included; empty: no line yet.
    const std::vector<std::uint64_t>& lines() const { return m_lines; }

private:
    std::string m_first; ///< without digits
    std::string m_second;
    bool m_followsFirst = false; ///< the line before was like the first one
    std::uint64_t m_firstAt = 0;
    std::vector<std::uint64_t> m_lines;
};

} // namespace highwater::logs
