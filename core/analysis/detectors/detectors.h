#pragma once

#include <functional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"
#include "core/base/side_by_side.h"

namespace highwater {

/// Is told of a finding as soon as it is made, on the thread that made it; of one at a time.
using FindingSink = std::function<void(const Finding&)>;

/// Findings of all detectors, ordered by grade, then by bytes, largest first, in whichever order they come;
/// without `sideBySide` the detectors run one after another.
/// `asTheyCome`, where there is one, hears of each as soon as its detector is done, without what explains it
/// (`nameWhatExplains`). O(detectors × (events + stacks)).
std::vector<Finding> findFindings(
    const DetectorInput& input, const FindingSink& asTheyCome = {}, const SideBySide& sideBySide = {});

} // namespace highwater
