#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Returns why no allocation of the trace has a stack: "stacks were not recorded in this file". Empty if the
/// trace has a stack. For a summary, returns the reason for the recording from which it was made. O(blocks).
std::string noStacksReason(const Trace& trace);

} // namespace highwater
