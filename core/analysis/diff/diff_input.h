#pragma once

#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/allocations.h"
#include "core/trace/trace.h"

namespace highwater {

/// One side of a comparison: a device of a run at one moment. Refers to its inputs, which must outlive it.
struct DiffInput
{
    const Trace& trace;
    const AllocationTable& allocations;
    const CallSites& sites;
    const CategoryTable* categories = nullptr; ///< needed for GroupKey::Category
    std::vector<AllocationIndex> live; ///< live allocations, in the table's order
};

} // namespace highwater
