#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/steps/steps.h"

namespace highwater {

/// The rule by which the steps of two runs were paired.
enum class StepAlignment : std::uint8_t
{
    Name, ///< steps with the same name in the recording
    Index, ///< the first with the first, and so on
    /// Shifted so that their peaks differ evenly: one run has more steps at the start, such as a longer
    /// warm-up
    BestMatch,
};

/// Returns "name", "index" or "best-match".
std::string_view toText(StepAlignment alignment);

/// A step of each run; nullopt on one side if the other is unmatched.
struct StepPair
{
    std::optional<std::size_t> before;
    std::optional<std::size_t> after;
};

struct AlignedSteps
{
    StepAlignment alignment = StepAlignment::Index;
    std::vector<StepPair> pairs; ///< contains every step of both runs once, in order
};

/// Pairs the steps of two runs: by name if the profiler numbered the steps and at least one number is in
/// both; by index if both have equally many. Otherwise it shifts one run by the number of steps for which the
/// peaks of all pairs differ by the same factor within 2% (the mean distance of their logarithms from the
/// median), provided that the unshifted pairs do not within 5% and the run with fewer steps does not grow. If
/// no shift qualifies, pairs by index from the first. O(steps of one × difference of their numbers).
AlignedSteps alignSteps(const StepTable& before, const StepTable& after);

} // namespace highwater
