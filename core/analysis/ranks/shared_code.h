#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/ranks/rank_figures.h"

namespace highwater {

/// How the code that holds memory at a rank's peak compares with that of the other ranks.
enum class SharedCode : std::uint8_t
{
    Some, ///< shared with another rank, or there is nothing to compare
    NotRecorded, ///< it has no stacks, while other ranks have some
    Other, ///< it shares no code with any other rank, while most ranks share some
};

/// Compares the code of all ranks; the result is in their order. Code is the same if function and file name
/// are, wherever the file is installed and whatever the line. Two files are too few to judge. Each file must
/// have a main device. O(sites).
std::vector<SharedCode> compareCode(const std::vector<const RankFile*>& ranks);

} // namespace highwater
