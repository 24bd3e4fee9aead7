#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// The whole trace as text, the same for files that say the same, whatever their encoding: for golden tests
/// and bug reports. One line an item; frames and stacks are numbered in order of first use by the events.
std::string dumpTrace(const Trace& trace);

} // namespace highwater
