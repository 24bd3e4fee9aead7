#pragma once

#include <vector>

#include "core/analysis/detectors/detector_input.h"

/// The detectors, one file each. Each says when it speaks, with which grade, and how it can be wrong; all are
/// silent where there is nothing to say.
namespace highwater {

/// Rule peak-summary, a fact of grade A: the peak, its event, step and phase, what holds it, and how far away
/// the capacity is. A lower bound where the start of the trace was lost.
std::vector<Finding> findPeakSummary(const DetectorInput& input);

/// Rule capture-quality, facts of grade A: no history, the start lost, events that contradict each other,
/// bytes at the peak without a stack. Bytes are those at the peak (or at the end) that are the less known
/// for it.
std::vector<Finding> findCaptureQuality(const DetectorInput& input);

} // namespace highwater
