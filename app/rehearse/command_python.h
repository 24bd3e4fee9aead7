#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// True if the command is neither Python nor a Python script but starts Python itself: "bash run_train.sh",
/// "uv run train.py". Which Python it starts is known only when it runs. False if the command is not found.
bool startsPythonItself(const std::vector<std::string>& command);

/// Finds the Python interpreter of a command: its first word, or the interpreter in the script's first
/// line. If the command starts Python itself, runs the command without output until a Python imports
/// PyTorch, and returns that one. Fails with BadRequest and a sentence if there is none, or if the command is
/// a notebook; with CannotRead if the files for such a run cannot be written.
Result<std::string> findPython(const std::vector<std::string>& command);

} // namespace highwater::rehearse
