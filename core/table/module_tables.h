#pragma once

#include <string>
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

/// Returns modules as an indented tree: bytes including callees, their share of the total, bytes by category,
/// and the number of passes that allocated them. One row for each of `rows`, in their order. The total counts
/// only rows of depth 0. The caption is `modulesCaption`. Columns without a value are
/// left out.
Table moduleTreeTable(const ModuleTable& modules, const std::vector<ModuleRow>& rows,
    ModuleTitles titles = ModuleTitles::Indented);

/// Returns where most of the activations and of the parameters are, and says so if the recording has no
/// modules or does not name them: "Most activations: Linear model.py:97, 4.12 GiB of 8.72 GiB. …".
std::string modulesCaption(const ModuleTable& modules, const std::vector<ModuleRow>& rows);

} // namespace highwater
