#pragma once

#include <optional>
#include <vector>

#include "core/analysis/diff/size_parts.h"

namespace highwater {

/// Returns which blocks probably replaced which (see `sizeCauses`), from the parts and copies of `causes`.
std::vector<Replacement> findReplacements(
    const RunDiff& diff, const DiffContents& contents, const SizeCauses& causes);

/// Returns the number of calls between two places in the user's code, counted from the function that contains
/// both. nullopt if they are not near each other. Their callers must be the same places.
std::optional<int> distanceOf(const std::vector<CodePlace>& code, const std::vector<CodePlace>& other);

} // namespace highwater
