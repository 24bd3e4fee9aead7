#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace highwater {

/// A source line that occurs in stacks, with its function and the functions that it calls. The numbers and
/// bits have the same meaning in both runs.
struct SourceLine
{
    std::int32_t line = 0;
    std::uint32_t function = 0;
    std::uint64_t calls = 0; ///< a bit for each called Python function, by its name; names may share a bit
    auto operator<=>(const SourceLine&) const = default;
};

/// Matches the lines of two versions of a file. Returns pairs of positions in the two lists, ascending in
/// both. The lists must be sorted and contain each pair of line and function once. Matched lines keep their
/// order and their function. Exchanging the lists exchanges the result.
///
/// Lines that call the same functions are matched first, then the remaining lines between them. Lines that
/// an insertion moved together are matched together: the distance with most lines is taken first (on a tie,
/// the shorter one), then the next one for the lines left between them.
///
/// At most four million pairs of lines are examined per file (a function of 2,048 lines in both runs), the
/// smallest functions first. Of the other functions (generated code), only lines that have not moved are
/// found. Lines more than 131,072 apart are not matched. Typically O(examined pairs + lines × log lines).
std::vector<std::pair<std::uint32_t, std::uint32_t>> matchLines(
    const std::vector<SourceLine>& before, const std::vector<SourceLine>& after);

} // namespace highwater
