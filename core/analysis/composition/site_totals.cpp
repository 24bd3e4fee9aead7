#include "core/analysis/composition/site_totals.h"

#include <algorithm>

namespace highwater {

std::vector<SiteTotal> siteTotalsAt(const LiveIndex& live, const CallSites& sites, std::int64_t event)
{
    std::vector<SiteTotal> totals(sites.size());
    std::vector<AllocationIndex> alive;
    live.liveAt(event, alive);
    for (const AllocationIndex allocation : alive) {
        const SiteId site = sites.of(allocation);
        SiteTotal& total = totals[site.index()];
        total.site = site;
        total.bytes += live.allocations().bytes(allocation);
        ++total.count;
    }
    std::erase_if(totals, [](const SiteTotal& total) { return total.count == 0; });
    std::ranges::sort(totals, [&](const SiteTotal& a, const SiteTotal& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : sites.site(a.site).key < sites.site(b.site).key;
    });
    return totals;
}

SiteTotal totalOfStackAt(const LiveIndex& live, StackId stack, std::int64_t event)
{
    std::vector<AllocationIndex> alive;
    live.liveAt(event, alive);
    SiteTotal total;
    for (const AllocationIndex allocation : alive) {
        if (live.allocations().stack(allocation) != stack)
            continue;
        total.bytes += live.allocations().bytes(allocation);
        ++total.count;
    }
    return total;
}

} // namespace highwater
