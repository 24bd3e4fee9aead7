#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Whether every id and range of a trace that was restored from a file points into its tables, so that no
/// analysis can leave them. Gives what is wrong first, or nothing. O(rows).
std::string firstProblem(const Trace& trace);

} // namespace highwater
