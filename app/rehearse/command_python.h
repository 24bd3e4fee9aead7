#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// True if the command is neither Python nor a Python script but starts Python itself: "bash run_train.sh",
/// "uv run train.py". Which Python it starts is known only when it runs.
bool startsPythonItself(const std::vector<std::string>& command);

/// Returns the Python interpreter of a command: its first word, or the interpreter in the script's first
/// line. If the command starts Python itself, runs the command without output until a Python imports
/// PyTorch, and returns that one. Fails with BadRequest and a sentence if there is none.
Result<std::string> pythonOf(const std::vector<std::string>& command);

} // namespace highwater::rehearse
