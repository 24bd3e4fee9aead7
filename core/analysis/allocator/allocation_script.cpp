#include "core/analysis/allocator/allocation_script.h"

#include "core/analysis/allocator/allocator_rules.h"

#include <algorithm>

namespace highwater {

ServingKey keyOf(const Trace& trace, const MappedRange& range)
{
    const bool small = range.type == SegmentType::Small
        || (range.type == SegmentType::Unknown && range.size <= kSmallSegment);
    return {privatePool(trace, range.pool), range.stream, small};
}

PoolId privatePool(const Trace& trace, PoolId pool)
{
    return trace.isPrivate(pool) ? pool : PoolId();
}

Bytes AllocationScript::recordedPeak() const
{
    Bytes peak = 0;
    for (const UsageCurve::ReservedChange& change : reserved)
        peak = std::max(peak, change.bytes);
    return peak;
}

} // namespace highwater
