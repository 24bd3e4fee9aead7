#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Names of modules as programs write them in labels: "model.layers.3.mlp".
namespace highwater {

/// Splits a label into names: "model.layers.3.mlp" → "model", "layers.3", "mlp". A number is added to the
/// name before it. A text with blanks or slashes is one name. Returns at most as many names as modules can be
/// nested.
std::vector<std::string> moduleNames(std::string_view label);

/// Splits off the number: "layers.3" → "layers" and 3; −1 if there is none. A number beyond 31 bits stays
/// part of the name.
std::pair<std::string_view, std::int32_t> numberedName(std::string_view name);

} // namespace highwater
