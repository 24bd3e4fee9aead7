#pragma once

#include <optional>
#include <vector>

#include "core/analysis/diff/size_parts.h"

namespace highwater {

/// Which blocks probably stand in place of which (see `sizeCauses`), from the parts and copies of `causes`.
std::vector<Replacement> findReplacements(
    const RunDiff& diff, const DiffContents& contents, const SizeCauses& causes);

/// How many calls lie between two places of the user's code, from the function that both are in; none: they
/// are not near. Callers must be the same places.
std::optional<int> distanceOf(const std::vector<CodePlace>& code, const std::vector<CodePlace>& other);

} // namespace highwater
