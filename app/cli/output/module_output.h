#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/device/device_study.h"
#include "core/analysis/modules/module_tree.h"

namespace highwater::cli {

/// The tree of modules for the memory that is live right after an event.
struct ModulesAt
{
    std::shared_ptr<const ModuleTable> modules;
    std::vector<ModuleRow> rows;
    std::size_t leftOut = 0; ///< number of rows that are not kept
};

/// Returns the `top` rows with the most bytes, and the modules that contain them; all rows if `top` is 0.
/// The study must outlive the result. O(allocations × depth of modules).
ModulesAt modulesAt(const DeviceStudy& study, std::int64_t event, std::size_t top);

/// Returns the "modules" array of `peaks --group module`.
nlohmann::ordered_json modulesJson(const ModulesAt& tree);
/// Prints the tree as a table.
void printModules(const ModulesAt& tree);

} // namespace highwater::cli
