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

/// Returns the periodic range that explains most of the sequence; among almost equal ones (2%), that with the
/// shortest period. It has a period of at least 8 elements and at least two repeats, and omits a beginning
/// and an end that do not repeat. nullopt if there is none.
///
/// Candidates are the distances between equal windows of several widths (rolling hashes). Rare windows weigh
/// more, because a window that occurs once per period determines the period. For each of the best candidates,
/// the range with the largest number of matches minus a penalty for each mismatch is chosen. O(n) on average.
std::optional<PeriodicStretch> findPeriod(std::span<const std::uint64_t> sequence);

} // namespace highwater
