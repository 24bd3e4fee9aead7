#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Returns why the trace has no stacks: "stacks were not recorded in this file". Empty if it has one. For a
/// summary, returns the reason for the recording from which it was made. O(blocks).
std::string noStacksReason(const Trace& trace);

} // namespace highwater
