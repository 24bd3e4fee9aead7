#pragma once

#include <functional>
#include <string_view>

namespace highwater {

/// Receives the next bytes of a file; returns false to stop the writing.
using ByteSink = std::function<bool(std::string_view)>;

} // namespace highwater
