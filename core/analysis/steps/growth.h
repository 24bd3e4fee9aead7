#pragma once

#include <optional>

#include "core/analysis/steps/steps.h"

namespace highwater {

/// The memory that remains allocated after each step in addition to that of the step before.
struct StepGrowth
{
    Bytes bytesPerStep = 0; ///< rounded to whole bytes; negative if memory shrinks
    std::size_t firstStep = 0; ///< the fitted steps: [firstStep, lastStep)
    std::size_t lastStep = 0;
};

/// Number of steps at the start of a run that are not representative: caches fill, and the optimizer creates
/// its state.
inline constexpr std::size_t kWarmUpSteps = 2;
/// The fewest steps after the warm-up from which growth is computed.
inline constexpr std::size_t kFewestGrowthSteps = 3;

/// Returns the slope of `endBytes` over the steps: the median of the slopes between all pairs of steps
/// (Theil–Sen; H. Theil 1950, P. K. Sen 1968), which tolerates about 29% outliers. Beyond 1,000 steps, only
/// pairs half the range apart count (Theil's incomplete method). Omits the part before the first marker
/// ("warm-up"), the first two steps after it, and the incomplete steps at the end. nullopt if steps were not
/// found or fewer than three remain. O(n²) up to 1,000 steps, O(n) beyond.
std::optional<StepGrowth> growthPerStep(const StepTable& table);

} // namespace highwater
