#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace highwater {

/// A range [begin, end) of a sequence that repeats every `period` elements.
struct PeriodicStretch
{
    std::size_t period = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t mismatches = 0; ///< elements that differ from the one a period before

    std::size_t repeats() const { return period == 0 ? 0 : (end - begin) / period; }
};

/// Returns the range with the best period: the one that explains most of the sequence, and the shortest
/// period among equals. It has at least two repeats; a beginning and an end that do not repeat are left out.
/// nullopt if there is none.
///
/// Candidates are the distances between equal windows of several widths (rolling hashes). Rare windows weigh
/// more, because a window that occurs once per period determines it. For each of the few best candidates, the
/// range is the one with the largest sum of matches minus a penalty for each mismatch. O(n log n).
std::optional<PeriodicStretch> findPeriod(std::span<const std::uint64_t> sequence);

} // namespace highwater
