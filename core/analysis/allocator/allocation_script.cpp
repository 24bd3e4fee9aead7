#include "core/analysis/allocator/allocation_script.h"

#include "core/analysis/allocator/allocator_rules.h"

#include <algorithm>

namespace highwater {

ServingKey servingKey(const Trace& trace, const MappedRange& range)
{
    const bool isSmall = range.type == SegmentType::Small
        || (range.type == SegmentType::Unknown && range.size <= kSmallSegment);
    return {privatePool(trace, range.pool), range.stream, isSmall};
}

PoolId privatePool(const Trace& trace, PoolId pool)
{
    return trace.isPrivate(pool) ? pool : PoolId();
}

void ScriptSteps::push_back(const ScriptStep& step)
{
    m_event.push_back(step.event);
    m_allocation.push_back(step.allocation);
    m_action.push_back(step.action);
}

void ScriptSteps::set(std::size_t i, const ScriptStep& step)
{
    m_event.set(i, step.event);
    m_allocation.set(i, step.allocation);
    m_action[i] = step.action;
}

void ScriptSteps::moveLastTo(std::size_t first)
{
    const ScriptStep last = (*this)[size() - 1];
    for (std::size_t i = size() - 1; i > first; --i)
        set(i, (*this)[i - 1]);
    set(first, last);
}

Bytes AllocationScript::recordedPeak() const
{
    Bytes peak = 0;
    for (const UsageCurve::ReservedChange& change : reserved)
        peak = std::max(peak, change.bytes);
    return peak;
}

} // namespace highwater
