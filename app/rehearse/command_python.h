#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// The command is neither Python nor a script of Python but starts Python itself: "bash run_train.sh", "uv
/// run train.py". Which one that is shows only when it runs.
bool startsPythonItself(const std::vector<std::string>& command);

/// The interpreter of a command: its first word, what the script that it names begins with, or, where it
/// starts Python itself, the one that imports PyTorch first; to find that, the command runs up to this
/// import, in silence. Fails with BadRequest and a sentence where there is none.
Result<std::string> pythonOf(const std::vector<std::string>& command);

} // namespace highwater::rehearse
