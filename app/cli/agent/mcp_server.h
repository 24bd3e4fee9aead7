#pragma once

#include "app/cli/agent/tools.h"

namespace highwater::cli {

/// Answers what comes on standard input until it ends, one call of a tool after the other, while it goes on
/// reading: a call that is cancelled stops. Returns the exit code.
int serveMcp(const ToolContext& context);

} // namespace highwater::cli
