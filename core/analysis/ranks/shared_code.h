#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/ranks/rank_figures.h"

namespace highwater {

/// The result of comparing the code that has memory at a rank's peak with the code of all other ranks.
enum class SharedCode : std::uint8_t
{
    Some, ///< shared with another rank, or there is nothing to compare
    NotRecorded, ///< the rank has no stacks, but other ranks have some
    Other, ///< shared with no other rank, although most ranks share code
};

/// Compares the code of all ranks; the result is parallel to `ranks`. Functions are equal if their name and
/// file name are equal; folder and line are ignored. With fewer than three ranks, all are `Some`. Each file
/// must have a main device. O(sites × log sites).
std::vector<SharedCode> compareCode(const std::vector<const RankFile*>& ranks);

} // namespace highwater
