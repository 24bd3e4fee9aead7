#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/live_index.h"

namespace highwater {

/// What one call site holds at a moment.
struct SiteTotal
{
    SiteId site;
    Bytes bytes = 0;
    std::int64_t count = 0;
};

/// What is live right after `event`, by call site, largest first (ties: by key). The sum of all rows is the
/// total at that moment. O(live + sites).
std::vector<SiteTotal> siteTotalsAt(const LiveIndex& live, const CallSites& sites, std::int64_t event);

/// How many allocations with exactly this stack are live right after `event`, and their bytes.
SiteTotal sameStackAt(const LiveIndex& live, StackId stack, std::int64_t event);

} // namespace highwater
