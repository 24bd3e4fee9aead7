#pragma once

#include <optional>
#include <string_view>

namespace highwater {

/// Content of a file of `resources/` that is compiled in, by its path there ("gpus.json"); none: it is not.
/// Which ones are stands in core/CMakeLists.txt. Lives as long as the program.
std::optional<std::string_view> embeddedResource(std::string_view name);

} // namespace highwater
