#pragma once

#include <functional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Is told of a finding as soon as it is made, on the thread that looks for them.
using FindingSink = std::function<void(const Finding&)>;

/// Findings of all detectors, ordered by grade, then by bytes, largest first; `asTheyCome`, where there is
/// one, hears of each before the next detector runs, without what explains it (`nameWhatExplains`).
/// O(detectors × (events + stacks)).
std::vector<Finding> findFindings(const DetectorInput& input, const FindingSink& asTheyCome = {});

} // namespace highwater
