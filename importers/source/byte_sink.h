#pragma once

#include <functional>
#include <string_view>

namespace highwater {

/// Takes the next bytes of a file; false stops the writing.
using ByteSink = std::function<bool(std::string_view)>;

} // namespace highwater
