#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace highwater {

/// A line of one file that stacks name, and the function that it stands in (numbered alike for both runs).
struct SourceLine
{
    std::int32_t line = 0;
    std::uint32_t function = 0;
    auto operator<=>(const SourceLine&) const = default;
};

/// Which lines of two versions of a file are the same line: pairs of positions in the two lists, ascending in
/// both. The lists are sorted and hold each line once. Lines keep their order and their function; what is
/// moved together, by an insertion above it, is found together: the distance that explains most lines goes
/// first (the shorter one of two that explain as many), then the next one for what is left between them.
/// Exchanging the lists exchanges the answer. O(lines² of one function × distances).
std::vector<std::pair<std::uint32_t, std::uint32_t>> matchLines(
    const std::vector<SourceLine>& before, const std::vector<SourceLine>& after);

} // namespace highwater
