#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Frameworks that there is a recipe for, as `highwater record --for` takes them.
const std::vector<std::string>& recordingFrameworks();

/// Text of a Python file that records memory snapshots in a training script of this framework: what to write
/// in the script stands in its comments. nullopt: there is no such framework.
std::optional<std::string> recordingRecipe(std::string_view framework);

} // namespace highwater
