#pragma once

#include <cstddef>
#include <functional>

namespace highwater {

/// Runs independent pieces of work, possibly in parallel: calls `work` with each of 0 … count − 1, in any
/// order, and returns when all calls have returned. If a call throws, the exception is passed on and pieces
/// that have not begun are skipped. `core` starts no threads: the code that loads a run passes in a function
/// that starts them.
using SideBySide = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

} // namespace highwater
