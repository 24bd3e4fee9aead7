#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Names of modules as programs write them in labels: "model.layers.3.mlp".
namespace highwater {

/// "model.layers.3.mlp" → "model", "layers.3", "mlp": names that are numbers go with the one before. A text
/// with blanks or slashes is one name. At most as many as modules can be nested.
std::vector<std::string> moduleNames(std::string_view label);

/// "layers.3" → "layers" and 3; without a number −1. One that does not fit stays part of the name.
std::pair<std::string_view, std::int32_t> numberedName(std::string_view name);

} // namespace highwater
