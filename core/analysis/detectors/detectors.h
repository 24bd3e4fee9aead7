#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// A rule that looks for one thing. Pure: the same input gives the same findings, none where there is nothing
/// to say.
struct Detector
{
    std::string_view name; ///< file of its code, kebab-case; a rule of its findings, mostly the only one
    std::string_view question; ///< what it asks, for lists of rules
    std::vector<Finding> (*find)(const DetectorInput& input);
    bool needsStudy = true; ///< false: it is asked where there are logs alone, too
};

/// All of them. To add one, declare it in rules.h and name it in the table of detectors.cpp.
std::span<const Detector> detectors();

/// What all detectors find: by grade, then by bytes, largest first. O(detectors × (events + stacks)).
std::vector<Finding> findFindings(const DetectorInput& input);

} // namespace highwater
