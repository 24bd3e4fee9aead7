#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/composition/band_group.h"
#include "core/analysis/modules/module_table.h"

namespace highwater {

/// Makes the labels of groups of mode Module unique, and names their families. Modules whose labels are equal
/// get the line that calls the outermost one, or else all lines. A module is "itself" if modules that it
/// calls have groups of their own. Three or more groups of a family get its name (`BandGroup::familyTitle`).
/// `values` has the number of each group's module; a number beyond the modules stands for memory in none.
/// O(groups × log groups).
void distinguishModules(
    const ModuleTable& modules, const std::vector<std::uint32_t>& values, std::vector<BandGroup>& groups);

} // namespace highwater
