#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Why no allocation of the trace has a stack: "stacks were not recorded in this file". Empty: some have one.
/// A summary says it of its recording. O(blocks).
std::string noStacksReason(const Trace& trace);

} // namespace highwater
