#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/device/device_study.h"
#include "core/analysis/modules/module_tree.h"

namespace highwater::cli {

/// The tree of modules for what is alive right after an event.
struct ModulesAt
{
    std::shared_ptr<const ModuleTable> modules;
    std::vector<ModuleRow> rows;
    std::size_t leftOut = 0; ///< rows below those that are kept
};

/// The `top` rows with most bytes, and the modules around them; 0: all. The study must outlive the result.
/// O(allocations × depth of modules).
ModulesAt modulesAt(const DeviceStudy& study, std::int64_t event, std::size_t top);

/// The "modules" array of `peaks --group module`.
nlohmann::ordered_json modulesJson(const ModulesAt& at);
void printModules(const ModulesAt& at);

} // namespace highwater::cli
