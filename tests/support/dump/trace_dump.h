#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Returns the complete trace as text, for golden tests and bug reports. The text is the same for files with
/// the same content, whatever their encoding. It has one line per item; frames and stacks are numbered in the
/// order in which events first use them.
std::string dumpTrace(const Trace& trace);

} // namespace highwater
