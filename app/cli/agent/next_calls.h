#pragma once

#include "app/cli/agent/tools.h"

namespace highwater::cli {

/// Returns the calls that most likely help after this answer, at most two, the most useful first:
/// `[{"tool": "segments", "arguments": {"files": [...]}, "why": "..."}]`. They follow from the tool and from
/// the class of the document's diagnosis, and are valid as they are. Empty where nothing is left to ask.
Json nextCalls(const Tool& tool, const ToolArguments& arguments, const Json& document);

} // namespace highwater::cli
