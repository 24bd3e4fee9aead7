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
    Index, ///< the first step with the first, and so on
    /// By index, but shifted so that the peaks of all pairs differ by about the same factor: one run has more
    /// steps at the start, such as a longer warm-up
    BestMatch,
};

/// Returns "name", "index" or "best-match".
std::string_view toText(StepAlignment alignment);
/// Returns "paired by their names", "paired in order" or how they are shifted.
std::string_view inWords(StepAlignment alignment);

/// A step of each run, as indices into `StepTable::steps`; nullopt on one side if the other is unmatched.
struct StepPair
{
    std::optional<std::size_t> before;
    std::optional<std::size_t> after;
};

/// The paired steps of two runs, and the rule by which they were paired.
struct AlignedSteps
{
    StepAlignment alignment = StepAlignment::Index;
    std::vector<StepPair> pairs; ///< contains every step of both runs once, in order
};

/// Pairs the steps of two runs:
/// - by name, if both recordings name their steps and at least one name is in both. Names in another order
///   than in the run before stay unpaired;
/// - by index, shifted by the number of steps that makes the peaks of all pairs differ most evenly. The
///   unevenness is the mean distance of log(peak after / peak before) from its median. It must be at most 2%
///   with the shift and more than 5% without. The run with fewer steps must have at least two, and steady
///   peaks;
/// - else by index from the first step.
///
/// O(n log n) for names; O(steps of both runs × difference of their numbers) for the shift.
AlignedSteps alignSteps(const StepTable& before, const StepTable& after);

} // namespace highwater
