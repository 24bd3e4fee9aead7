#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/live_index.h"

namespace highwater {

/// Bytes and number of allocations of one call site.
struct SiteTotal
{
    SiteId site;
    Bytes bytes = 0;
    std::int64_t count = 0;
};

/// Returns the memory that is live right after `event` by call site, largest first (ties: by key). The sum of
/// all rows is the total at that moment. O(live + sites × log sites).
std::vector<SiteTotal> siteTotalsAt(const LiveIndex& live, const CallSites& sites, std::int64_t event);

/// Allocations of one call site, and the commonest of their stacks.
struct SiteStack
{
    SiteTotal total;
    AllocationIndex example = 0; ///< the first allocation with the commonest stack
    std::int64_t sameStack = 0; ///< number of allocations with the commonest stack
};

/// Returns the call sites of the given allocations, largest first (ties: by key). The rows sum to the given
/// allocations. O(given + sites × log sites).
std::vector<SiteStack> siteStacks(
    const AllocationTable& allocations, const CallSites& sites, std::span<const AllocationIndex> given);

/// Returns the number and bytes of allocations with exactly this stack that are live right after `event`; the
/// site is not set. O(live).
SiteTotal totalOfStackAt(const LiveIndex& live, StackId stack, std::int64_t event);

} // namespace highwater
