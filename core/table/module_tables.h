#pragma once

#include <vector>

#include "core/analysis/modules/module_tree.h"
#include "core/table/table.h"

namespace highwater {

/// Modules as an indented tree: bytes with all that they call, by category, in how many passes they were
/// made. Only rows of depth 0 count in the total. A row for each of `rows`, in their order.
Table moduleTreeTable(const ModuleTable& modules, const std::vector<ModuleRow>& rows);

} // namespace highwater
