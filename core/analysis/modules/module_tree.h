#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/modules/module_table.h"

namespace highwater {

/// Memory allocated in a module and in the modules that it calls.
struct ModuleBytes
{
    Bytes bytes = 0;
    CategoryBytes byCategory{}; ///< sums to `bytes`
    std::array<Bytes, kModuleSourceCount> bySource{}; ///< sums to `bytes` for a module
    std::int64_t allocations = 0;
    std::int64_t passes = 0; ///< number of calls of the outermost module that made the allocations
};

/// A row of the tree: a module, or the sum of like modules that follow one level below, such as the layers of
/// a loop. A module comes before the modules that it calls.
struct ModuleRow
{
    ModuleId module; ///< isNone() for memory in no module; then `reason` is set. The first of like modules
    std::int32_t likeCount = 1; ///< number of modules in the sum
    std::int32_t lastNumber = -1; ///< number of the last one of like modules
    NoModule reason = NoModule::Outside;
    int depth = 0; ///< 0 for the outermost
    ModuleBytes all{}; ///< including the modules that it calls
    Bytes own = 0; ///< bytes allocated in the module itself
};

/// Three or more numbered modules of one kind (`ModuleTable::kind`) below one module are like modules: one
/// row sums them up.
inline constexpr std::size_t kFewestLike = 3;

/// Returns the modules that made the given allocations, largest first, but layers in their order; then the
/// memory in no module. The rows of depth 0 sum to the allocations, exactly. O(n × log n) for n = allocations
/// × depth.
std::vector<ModuleRow> moduleTree(const ModuleTable& modules, const AllocationTable& allocations,
    const CategoryTable& categories, std::span<const AllocationIndex> given);

/// Keeps the `count` rows with the most bytes, in the order of `rows`, and only the largest one of like
/// modules. Their callers have at least as many bytes, so they are kept as well. All rows of depth 0 stay, so
/// that the sum stays the same. 0 keeps all rows.
std::vector<ModuleRow> largestRows(const std::vector<ModuleRow>& rows, std::size_t count);

/// Returns the index behind the last row below `row`.
std::size_t endOfRow(const std::vector<ModuleRow>& rows, std::size_t row);

/// Returns the title of a row: "forward (block.py:62–70) [3]", "layers.3", "Linear_2"; for like modules
/// "12 × forward (block.py:62–70)", "layers.0–11 (12 modules)", "Linear_0–3 (4 × Linear)".
std::string titleOf(const ModuleTable& modules, const ModuleRow& row);
/// Returns the titles of the modules around the row and its own (`ModuleTable::shortPath`).
std::string shortPathOf(const ModuleTable& modules, const ModuleRow& row);

} // namespace highwater
