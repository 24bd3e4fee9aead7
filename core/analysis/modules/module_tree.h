#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/modules/module_table.h"

namespace highwater {

/// What some allocations take in a module and in all that it calls.
struct ModuleBytes
{
    Bytes bytes = 0;
    CategoryBytes byCategory{}; ///< they sum to `bytes`
    std::array<Bytes, kModuleSources> bySource{}; ///< they sum to `bytes` in a module
    std::int64_t allocations = 0;
    std::int64_t passes = 0; ///< calls of the outermost module that made them
};

/// A row of the tree, callers before what they call.
struct ModuleRow
{
    ModuleId module; ///< none: `reason` says why
    NoModule reason = NoModule::Outside;
    int depth = 0; ///< 0: outermost
    ModuleBytes all{}; ///< with all that it calls
    Bytes own = 0; ///< made in none of those
};

/// The modules that made the allocations given: the largest first, but layers in their order; then what is in
/// no module. The rows of depth 0 sum to the allocations, exactly. O(allocations × depth × log).
std::vector<ModuleRow> moduleTree(const ModuleTable& modules, const AllocationTable& allocations,
    const CategoryTable& categories, std::span<const AllocationIndex> given);

/// The `count` rows with most bytes in their order, and so the modules around them, which have as many; all
/// of depth 0 stay, so that they sum to the same. 0: all rows.
std::vector<ModuleRow> largestRows(const std::vector<ModuleRow>& rows, std::size_t count);

} // namespace highwater
