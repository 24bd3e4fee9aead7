#pragma once

#include <optional>
#include <string_view>

namespace highwater {

/// Returns the content of a file of `resources/` that is compiled into the program; nullopt if that file is
/// not embedded. `name` is the path in that folder ("gpus.json"). core/base/CMakeLists.txt lists the embedded
/// files. The view is valid until the program ends.
std::optional<std::string_view> embeddedResource(std::string_view name);

} // namespace highwater
