#pragma once

#include <vector>

#include "core/analysis/modules/module_tree.h"
#include "core/table/table.h"

namespace highwater {

/// How the names of modules show their depth.
enum class ModuleTitles : std::uint8_t
{
    Indented,
    Plain, ///< for views that indent rows themselves
};

/// Returns modules as an indented tree: bytes including callees, by category, and the number of passes that
/// allocated them. One row for each of `rows`, in their order. The total counts only rows of depth 0.
Table moduleTreeTable(const ModuleTable& modules, const std::vector<ModuleRow>& rows,
    ModuleTitles titles = ModuleTitles::Indented);

} // namespace highwater
