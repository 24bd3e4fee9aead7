#pragma once

#include "app/cli/agent/tools.h"

namespace highwater::cli {

/// Returns the calls that most likely help after this answer, at most two, the most useful first:
/// `[{"tool": "segments", "arguments": {"files": [...]}, "why": "..."}]`. They are valid as they are. Empty
/// if nothing is left to ask, and for a document that is no object.
Json nextCalls(const Tool& tool, const ToolArguments& arguments, const Json& document);

} // namespace highwater::cli
