#pragma once

#include <optional>
#include <string_view>

namespace highwater {

/// Content of a file of `resources/` that is compiled into the program, by its path there ("gpus.json");
/// nullopt: that file is not embedded. core/base/CMakeLists.txt lists the embedded files. The view is valid
/// for the whole run of the program.
std::optional<std::string_view> embeddedResource(std::string_view name);

} // namespace highwater
