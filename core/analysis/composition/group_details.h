#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/composition/kept_blocks.h"

namespace highwater {

/// The parts of a group of allocations.
struct GroupDetails
{
    CategoryBytes byCategory{};
    Bytes kept = 0; ///< bytes of the allocations that are kept from earlier steps (KeptBlocks)
};

/// Returns the details of each group. `groupOf` has the group of each member, below `groupCount`. The kept
/// bytes are those right after `event`. O(members + groups).
std::vector<GroupDetails> groupDetails(const CategoryTable& categories, const AllocationTable& allocations,
    const KeptBlocks& keptBlocks, std::span<const AllocationIndex> members,
    std::span<const std::uint32_t> groupOf, std::size_t groupCount, std::int64_t event);

/// Returns the categories, the largest first: "activations", "activations, gradients", "activations and 3
/// more", "inputs (guess)"; empty if there are no bytes.
std::string categoriesText(const CategoryBytes& bytes, const GuessedCategories& guessed);

} // namespace highwater
