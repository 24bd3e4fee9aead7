#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::logs {

/// Detects that a program was restarted within the same file: its first two lines return, ignoring digits,
/// after lines with figures and at least 20 lines after the start before.
class StartFinder
{
public:
    /// Takes the lines in order, without colour codes; skips blank lines. `hasFigures` is true if lines since
    /// the last start had figures. Returns true if this line is the second line of another start.
    bool isStart(std::string_view text, std::uint64_t line, bool hasFigures);

    /// Returns the line of each start, including the first; empty before the first line.
    const std::vector<std::uint64_t>& lines() const { return m_lines; }

private:
    std::string m_firstText; ///< text of the first line without digits; empty if it identifies no program
    std::string m_secondText;
    bool m_followsFirst = false; ///< the previous line was equal to the first one, except for digits
    std::uint64_t m_previousLine = 0;
    std::vector<std::uint64_t> m_lines;
};

} // namespace highwater::logs
