#pragma once

#include <optional>

#include "core/analysis/steps/steps.h"

namespace highwater {

/// The memory that each step retains beyond the one before it.
struct StepGrowth
{
    Bytes bytesPerStep = 0; ///< rounded to whole bytes; negative if memory shrinks
    std::size_t firstStep = 0; ///< the fitted steps: [firstStep, lastStep)
    std::size_t lastStep = 0;
};

/// Steps at the start of a run whose memory is not representative: caches fill, the optimizer creates its
/// state.
inline constexpr std::size_t kWarmUpSteps = 2;
/// The fewest steps after the warm-up from which growth is computed.
inline constexpr std::size_t kFewestGrowthSteps = 3;

/// Returns the slope of `endBytes` over the steps: the median of the slopes between all pairs of steps
/// (Theil–Sen; H. Theil 1950, P. K. Sen 1968), so that up to about 29% outliers do not matter. Beyond 1,000
/// steps only pairs half the range apart count (Theil's incomplete method). The first two steps, the part
/// before the first marker ("warm-up") and steps cut off by the trace are left out. nullopt if fewer than
/// three steps remain. O(n²) up to 1,000 steps, O(n) beyond.
std::optional<StepGrowth> growthPerStep(const StepTable& table);

} // namespace highwater
