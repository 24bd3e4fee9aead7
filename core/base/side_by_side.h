#pragma once

#include <cstddef>
#include <functional>

namespace highwater {

/// How independent pieces of work are done: calls `work` with each of 0 … count − 1, in any order and perhaps
/// several at once, and returns when all have returned. What one throws is passed on, and those that have not
/// begun are left out. `core` starts no threads: whoever loads a run hands one in that does.
using SideBySide = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

} // namespace highwater
