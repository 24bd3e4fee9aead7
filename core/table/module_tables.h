#pragma once

#include <vector>

#include "core/analysis/modules/module_tree.h"
#include "core/table/table.h"

namespace highwater {

/// Returns modules as an indented tree: bytes including callees, by category, and the number of passes that
/// allocated them. One row for each of `rows`, in their order. The total counts only rows of depth 0.
Table moduleTreeTable(const ModuleTable& modules, const std::vector<ModuleRow>& rows);

} // namespace highwater
