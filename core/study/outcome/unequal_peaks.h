#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/matching/step_alignment.h"

namespace highwater {

/// Two runs whose peaks are of steps that are no pair, so that their difference is partly one between steps:
/// a run that came further has a later peak. A pair of steps compares equal work instead.
struct UnequalPeaks
{
    std::string beforeStep; ///< names of the steps of the peaks
    std::string afterStep;
    std::size_t pair = 0; ///< index in `AlignedSteps::pairs` of the last pair that both runs completed
    std::size_t beforeIndex = 0; ///< the steps of this pair, numbered as in `peaks`
    std::size_t afterIndex = 0;
    std::string beforeName; ///< their names
    std::string afterName;
    Bytes beforeBytes = 0; ///< their peaks
    Bytes afterBytes = 0;

    /// Returns "step 13 with step 13".
    std::string pairText() const;
    /// Returns "In step 13, the last that both runs completed, the later run needs 1 GiB less, …".
    std::string text() const;
    /// Returns "The rows compare the peaks, of step 13 and step 20."
    std::string peaksText() const;
};

/// Returns nullopt if a peak is in no known step, if either run comes as high as its peak in the step that is
/// paired with that of the other peak, if no pair is complete in both runs, or if the last such pair differs
/// as much as the peaks do: all to 1% of the peak. O(pairs).
std::optional<UnequalPeaks> unequalPeaks(
    const DeviceStudy& before, const DeviceStudy& after, const AlignedSteps& aligned);

} // namespace highwater
