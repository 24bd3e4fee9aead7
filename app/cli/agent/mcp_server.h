#pragma once

#include "app/cli/agent/tools.h"

namespace highwater::cli {

/// Serves the Model Context Protocol on standard input and output until the input ends and its calls are
/// answered, the client stops reading, or a signal requests a stop (`interruptToken`). Runs one tool call
/// after the other and reads on meanwhile, so that a running call can be cancelled. Returns the exit code.
int serveMcp(const ToolContext& context);

} // namespace highwater::cli
