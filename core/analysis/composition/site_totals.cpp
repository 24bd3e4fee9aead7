#include "core/analysis/composition/site_totals.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"

namespace highwater {

namespace {

/// Orders sites by bytes, largest first, then by key.
bool isLargerSite(const CallSites& sites, const SiteTotal& a, const SiteTotal& b)
{
    return a.bytes != b.bytes ? a.bytes > b.bytes : sites.site(a.site).key < sites.site(b.site).key;
}

} // namespace

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
    std::ranges::sort(
        totals, [&](const SiteTotal& a, const SiteTotal& b) { return isLargerSite(sites, a, b); });
    return totals;
}

std::vector<SiteStack> siteStacks(
    const AllocationTable& allocations, const CallSites& sites, std::span<const AllocationIndex> given)
{
    NumberMap<std::uint64_t, std::pair<AllocationIndex, std::int64_t>> stacks; // first allocation and count
    std::vector<SiteStack> found(sites.size());
    for (const AllocationIndex i : given) {
        const SiteId site = sites.of(i);
        SiteTotal& total = found[site.index()].total;
        total.site = site;
        total.bytes += allocations.bytes(i);
        ++total.count;
        const std::uint64_t key = std::uint64_t{site.value()} << 32 | allocations.stack(i).value();
        ++stacks.try_emplace(key, i, 0).first.value().second;
    }
    for (const auto& [key, stack] : stacks) {
        SiteStack& site = found[key >> 32];
        const auto [first, count] = stack;
        if (count > site.sameStack || (count == site.sameStack && first < site.example)) {
            site.example = first;
            site.sameStack = count;
        }
    }
    std::erase_if(found, [](const SiteStack& site) { return site.total.count == 0; });
    std::ranges::sort(
        found, [&](const SiteStack& a, const SiteStack& b) { return isLargerSite(sites, a.total, b.total); });
    return found;
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
