#pragma once

#include <functional>
#include <vector>

#include "core/analysis/detectors/detector_input.h"
#include "core/base/side_by_side.h"

namespace highwater {

/// Receives findings while the detectors run: called on the thread of the detector that made the finding,
/// never twice at the same time.
using FindingSink = std::function<void(const Finding&)>;

/// Runs all detectors and returns their findings, ordered by grade, then by bytes, largest first. The order
/// does not depend on which detector finishes first. Without `sideBySide` the detectors run one after
/// another.
///
/// If set, `sink` gets the findings of each detector as soon as that detector is done, before
/// `markExplainedFindings` and `settleAdvice` change them. For a summary, which stores its findings, no
/// detector runs and `sink` gets nothing.
///
/// Costs O(detectors × (events + stacks)), plus the replays of slow detectors (`Rule::Slow`) and
/// `markExplainedFindings`.
std::vector<Finding> findFindings(
    const DetectorInput& input, const FindingSink& sink = {}, const SideBySide& sideBySide = {});

} // namespace highwater
