#include "core/analysis/allocator/free_lists.h"

#include "core/analysis/allocator/allocator_rules.h"

namespace highwater {

namespace {

PoolId defaultPool(const Trace& trace)
{
    for (std::uint32_t i = 0; i < trace.pools.size(); ++i)
        if (trace.pools[i].isDefault())
            return PoolId(i);
    return PoolId();
}

} // namespace

FreeListKey servingFreeList(const Trace& trace, const MemoryEvent& oom)
{
    return {oom.pool.isNone() ? defaultPool(trace) : oom.pool, oom.stream,
        oom.size <= kSmallRequest ? SegmentType::Small : SegmentType::Large};
}

bool serves(const Trace& trace, const MappedRange& range, const FreeListKey& key)
{
    const bool samePool
        = range.pool == key.pool || (!trace.isPrivate(key.pool) && !trace.isPrivate(range.pool));
    const bool sameStream = key.stream.isNone() || range.stream.isNone() || range.stream == key.stream;
    return samePool && sameStream && (range.type == SegmentType::Unknown || range.type == key.type);
}

} // namespace highwater
