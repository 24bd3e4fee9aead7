#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/matching/step_alignment.h"
#include "core/analysis/diff/side_names.h"

namespace highwater {

/// Two runs whose peaks are of steps that are no pair, so that their difference is partly one between steps:
/// a run that came further has a later peak. A pair of steps compares equal work instead.
struct UnequalPeaks
{
    std::string beforeStep; ///< names of the steps of the peaks
    std::string afterStep;
    std::size_t beforeIndex = 0; ///< these steps, numbered as in `peaks`
    std::size_t afterIndex = 0;
    std::size_t pair = 0; ///< index in `AlignedSteps::pairs` of the last pair that both runs completed
    std::string beforeName; ///< names of the steps of this pair
    std::string afterName;
    ComparedEvents events = {}; ///< their peaks

    /// Returns the pair, "step 13", or "step 13 and step 12" if the names differ.
    std::string pairText() const;
};

/// Returns nullopt if a peak is in no known step, if either run comes as high as its peak in the step that is
/// paired with that of the other peak, if no pair is complete in both runs, or if the last such pair differs
/// as much as the peaks do: all to 1% of the peak. O(pairs).
std::optional<UnequalPeaks> unequalPeaks(
    const DeviceStudy& before, const DeviceStudy& after, const AlignedSteps& aligned);

} // namespace highwater
