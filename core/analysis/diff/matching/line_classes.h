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
    std::uint64_t calls = 0; ///< a bit for the name of each called function; names may share a bit
    auto operator<=>(const SourceLine&) const = default;
};

/// Matches the lines of two versions of a file. Returns pairs of positions in the two lists, ascending in
/// both. The lists must be sorted and contain each line once. Matched lines keep their order and their
/// function. Exchanging the lists exchanges the result.
///
/// Lines that call the same functions are matched first, then the remaining lines between them. Lines that an
/// insertion moved together are matched together: the distance with most lines is taken first (on a tie, the
/// shorter one), then the next one for the lines left between them.
///
/// At most four million pairs of lines of one function (2,048 lines in both runs) are examined per file; in
/// larger functions (generated code) only lines that have not moved are found. Typically O(those pairs +
/// lines × log lines); the cost is higher if the counts of many distances shrink pair by pair.
std::vector<std::pair<std::uint32_t, std::uint32_t>> matchLines(
    const std::vector<SourceLine>& before, const std::vector<SourceLine>& after);

} // namespace highwater
