#pragma once

#include <functional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"
#include "core/base/side_by_side.h"

namespace highwater {

/// Called with each finding as soon as it is made, on the thread that made it; never concurrently.
using FindingSink = std::function<void(const Finding&)>;

/// Runs all detectors and returns their findings, ordered by grade, then by bytes, largest first. The order
/// does not depend on which detector finishes first. Without `sideBySide` the detectors run one after
/// another.
/// If set, `asTheyCome` gets each finding as soon as its detector is done, before `nameWhatExplains` sets
/// `mergedInto`. O(detectors × (events + stacks)).
std::vector<Finding> findFindings(
    const DetectorInput& input, const FindingSink& asTheyCome = {}, const SideBySide& sideBySide = {});

} // namespace highwater
