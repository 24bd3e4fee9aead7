#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/ranks/rank_figures.h"

namespace highwater {

/// How the code of a rank, as far as it holds memory at the peak, compares with that of the other ranks.
enum class SharedCode : std::uint8_t
{
    Some, ///< shared with another rank, or there is nothing to compare
    NotRecorded, ///< it has no stacks, while other ranks have some
    Other, ///< it shares none with any other rank, while most ranks share some
};

/// Compares all ranks, by their order. Code is the same by function and file name, wherever the file is
/// installed and whichever line it is. Two files are too few to tell. Each file must have a main device.
/// O(sites).
std::vector<SharedCode> compareCode(const std::vector<const RankFile*>& ranks);

} // namespace highwater
