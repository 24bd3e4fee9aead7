#pragma once

#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/allocations.h"
#include "core/trace/trace.h"

namespace highwater {

/// One run of a comparison: a device of it at a moment. Refers to what it is made of.
struct DiffInput
{
    const Trace& trace;
    const AllocationTable& allocations;
    const CallSites& sites;
    const CategoryTable* categories = nullptr; ///< needed for GroupKey::Category
    std::vector<AllocationIndex> live; ///< in the table's order
};

} // namespace highwater
