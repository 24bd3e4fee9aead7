#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// The whole trace as text, identical for files with the same content, whatever their encoding: for golden
/// tests and bug reports. One line per item; frames and stacks are numbered in order of first use by the
/// events.
std::string dumpTrace(const Trace& trace);

} // namespace highwater
