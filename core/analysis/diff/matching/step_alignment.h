#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/steps/steps.h"

namespace highwater {

/// How the steps of two runs were paired.
enum class StepAlignment : std::uint8_t
{
    Name, ///< steps with the same name in the recording
    Index, ///< the first with the first, and so on
    BestMatch, ///< moved so that their peaks differ evenly: one run has more steps before, as a longer
               ///< warm-up
};

/// "name", "index", "best-match".
std::string_view toText(StepAlignment alignment);

/// A step of each run; none: it is unmatched.
struct StepPair
{
    std::optional<std::size_t> before;
    std::optional<std::size_t> after;
};

struct AlignedSteps
{
    StepAlignment alignment = StepAlignment::Index;
    std::vector<StepPair> pairs; ///< every step of both runs once, in order
};

/// By name where the profiler numbered the steps and at least one number occurs in both; by index where both
/// have equally many; else moved by the number of steps for which the peaks of all pairs differ by the same
/// factor within 2 % (the mean distance of their logarithms from the median), if unmoved they do not within 5
/// % and the run with fewer steps does not grow; else by index from the first. O(steps of one × difference of
/// their numbers).
AlignedSteps alignSteps(const StepTable& before, const StepTable& after);

} // namespace highwater
