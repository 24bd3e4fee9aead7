#pragma once

#include <optional>
#include <vector>

#include "core/analysis/diff/size_parts.h"

namespace highwater {

/// Returns the pairs of blocks of which one probably replaced the other (see `sizeCauses` for the rules),
/// using the parts, copies and factors of `causes`. Largest first.
std::vector<Replacement> findReplacements(
    const RunDiff& diff, const DiffContents& contents, const SizeCauses& causes);

/// Returns how near two places in the user's code are: the number of calls by which they differ, below the
/// function that contains both. Lists begin with the outermost frame; calls into other packages at their ends
/// do not count. nullopt if they are too far apart, or if the callers of that function differ.
std::optional<int> codeDistance(
    const std::vector<CodePlace>& firstCode, const std::vector<CodePlace>& secondCode);

} // namespace highwater
