#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Names of modules as programs write them in labels, "model.layers.3.mlp", and as profilers write them.
namespace highwater {

/// True if a label can name a module. A text with blanks or slashes, a Python file and a pass of a loop
/// ("step_3", "epoch.1") cannot.
bool namesModule(std::string_view label);

/// Splits a label into names: "model.layers.3.mlp" → "model", "layers.3", "mlp". A number is added to the
/// name before it. Returns at most as many names as modules can be nested; none if the label names no module.
std::vector<std::string> moduleNames(std::string_view label);

/// Splits off the number: "layers.3" → "layers" and 3; −1 if there is none. A number beyond 31 bits stays
/// part of the name.
std::pair<std::string_view, std::int32_t> numberedName(std::string_view name);

/// Splits the name of a module in a profiler trace into class and instance: "Linear_2" → "Linear" and 2; −1
/// if there is no number.
std::pair<std::string, std::int32_t> instanceName(std::string_view name);

} // namespace highwater
