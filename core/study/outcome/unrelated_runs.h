#pragma once

#include <string>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

/// Returns a sentence that says that the runs have nothing in common, so that neither is a version of the
/// other; else empty. The runs are judged by the user's lines that allocate, in the whole of both recordings;
/// if either run has no such line, by the sizes of allocations, unless either has few. O(sites +
/// allocations).
std::string unrelatedText(const DeviceStudy& before, const DeviceStudy& after, const StackClasses& classes);

} // namespace highwater
