#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Returns why no allocation of the trace has a stack: "stacks were not recorded in this file". Empty if some
/// have one. For a summary, the reason concerns its recording. O(blocks).
std::string noStacksReason(const Trace& trace);

} // namespace highwater
