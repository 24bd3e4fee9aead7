#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Checks that every id and range of a trace restored from a file is within its tables, and every size and
/// time within limits, so that no analysis can read out of bounds or overflow. Returns the first problem, or
/// an empty text. O(rows).
std::string firstProblem(const Trace& trace);

} // namespace highwater
