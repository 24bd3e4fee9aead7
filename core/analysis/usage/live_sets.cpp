#include "core/analysis/usage/live_sets.h"

#include <algorithm>

#include "core/base/interruption.h"

namespace highwater {

namespace {

bool isMember(LiveSetKind kind, bool bornHere, bool freedHere)
{
    switch (kind) {
    case LiveSetKind::Born: return bornHere;
    case LiveSetKind::Freed: return freedHere;
    case LiveSetKind::Survived: return bornHere && !freedHere;
    case LiveSetKind::Alive: break;
    }
    return false;
}

/// Returns the members for all kinds but Alive.
std::vector<AllocationIndex> allocationsOfRange(const AllocationTable& allocations, const LiveSetSpec& spec)
{
    std::vector<AllocationIndex> members;
    const Column<std::int32_t>& births = allocations.births();
    const auto end
        = static_cast<AllocationIndex>(std::ranges::lower_bound(births, spec.last) - births.begin());
    const std::int64_t until = spec.until.value_or(spec.last);
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < end; ++i) {
        interruption.round();
        const std::int64_t death = allocations.death(i);
        if (isMember(spec.kind, births[i] >= spec.first, death >= spec.first && death < until))
            members.push_back(i);
    }
    return members;
}

} // namespace

LiveSet liveSet(const LiveIndex& index, const LiveSetSpec& spec)
{
    LiveSet set;
    set.spec = spec;
    if (spec.kind == LiveSetKind::Alive)
        index.liveAt(spec.first, set.allocations);
    else
        set.allocations = allocationsOfRange(index.allocations(), spec);
    for (const AllocationIndex i : set.allocations)
        set.total.add(index.allocations().bytes(i));
    return set;
}

std::int64_t lifetimeInTrace(const AllocationTable& allocations, AllocationIndex i)
{
    const std::int64_t begin = std::max<std::int64_t>(0, allocations.birth(i));
    const std::int64_t end = std::min<std::int64_t>(allocations.eventCount(), allocations.death(i));
    return std::max<std::int64_t>(0, end - begin);
}

} // namespace highwater
