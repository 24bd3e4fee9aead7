#include "core/analysis/allocator/script_player.h"

#include <algorithm>

namespace highwater {

ScriptPlayer::ScriptPlayer(const AllocationScript& script, const WhatIf& change, Bytes limit)
    : m_script(script)
    , m_allocations(*script.allocations)
    , m_removed(m_allocations.size())
    , m_keepsFailures(change.settings != script.settings)
    , m_allocator(change.settings, m_allocations.size(), script.driver(change.settings, limit))
    , m_limit(limit)
{
    for (const AllocationIndex allocation : change.removed)
        m_removed[allocation] = true;
    layOut(m_allocator, script, m_removed);
    m_result.reserved.push_back({-1, m_allocator.reservedBytes()});
    recordUsage(-1);
}

void ScriptPlayer::play(const ScriptStep& step)
{
    m_interruption.round();
    performStep(step);
    recordUsage(std::max<std::int64_t>(step.event, m_result.reserved.back().event));
}

WhatIfResult ScriptPlayer::result() const
{
    WhatIfResult result = m_result;
    result.calls = m_allocator.calls();
    return result;
}

void ScriptPlayer::performStep(const ScriptStep& step)
{
    switch (step.action) {
    case ScriptAction::Allocate: allocate(step); break;
    case ScriptAction::RequestFree: m_allocator.requestFree(step.allocation); break;
    case ScriptAction::Free: m_allocator.free(step.allocation); break;
    case ScriptAction::OutOfMemory: retryFailure(m_script.failures[step.allocation]); break;
    case ScriptAction::EmptyCache:
        releasePools(step.event);
        m_allocator.emptyCache();
        break;
    }
}

MemoryRequest ScriptPlayer::requestOf(AllocationIndex allocation) const
{
    return {m_allocations.bytes(allocation), m_allocations.stream(allocation), m_script.poolOf(allocation)};
}

bool ScriptPlayer::hasCached(const ScriptStep& allocate)
{
    return m_allocator.hasCached(requestOf(allocate.allocation));
}

void ScriptPlayer::allocate(const ScriptStep& step)
{
    const AllocationIndex allocation = step.allocation;
    MemoryRequest request = requestOf(allocation);
    request.recorded = driverAddresses(step.event);
    if (m_removed[allocation])
        return;
    if (!allocateWhenShort(step, request) && !m_allocator.allocate(allocation, request)) {
        ++m_result.newFailures;
        if (m_result.firstNewFailure < 0)
            m_result.firstNewFailure = step.event;
        return;
    }
    ++m_result.allocations;
    const SimulatedBlock& block = m_allocator.blocks().block(m_allocator.blockOf(allocation));
    m_result.placedAsRecorded += block.address == m_allocations.address(allocation);
}

/// Tries to allocate within the recorded shortage of that call, if there was one. The driver may have had
/// more than the shortage says, so false is no failure: the caller tries again with the full capacity.
bool ScriptPlayer::allocateWhenShort(const ScriptStep& step, const MemoryRequest& request)
{
    const std::vector<MemoryShortage>& shortages = m_script.shortages;
    while (m_nextShortage < shortages.size() && shortages[m_nextShortage].event < step.event)
        ++m_nextShortage;
    if (m_nextShortage == shortages.size() || shortages[m_nextShortage].event > step.event)
        return false;
    m_allocator.setLimit(shortages[m_nextShortage].limit);
    const bool allocated = m_allocator.allocate(step.allocation, request);
    m_allocator.setLimit(m_limit);
    return allocated;
}

void ScriptPlayer::retryFailure(const RecordedFailure& failure)
{
    releasePools(failure.event);
    m_allocator.setLimit(failure.limit);
    const bool fits = m_allocator.tryRequest(
        {failure.bytes, failure.stream, failure.pool, driverAddresses(failure.event)}, m_keepsFailures);
    m_allocator.setLimit(m_limit);
    const Bytes spare = fits ? failure.limit - m_allocator.reservedBytes() : 0;
    m_result.failures.push_back({failure.event, failure.bytes, fits, spare});
}

void ScriptPlayer::releasePools(std::int64_t event)
{
    const std::vector<ReleasedPool>& pools = m_script.releasedPools;
    for (; m_nextPool < pools.size() && pools[m_nextPool].event <= event; ++m_nextPool)
        m_allocator.makeReleasable(pools[m_nextPool].pool);
}

/// Returns the memory that the recorded run got from the driver in the call that ends with the event.
std::span<const DriverAddress> ScriptPlayer::driverAddresses(std::int64_t event)
{
    m_addresses.clear();
    const std::vector<RecordedSegment>& segments = m_script.segments;
    for (; m_nextSegment < segments.size() && segments[m_nextSegment].event < event; ++m_nextSegment)
        m_addresses.push_back(segments[m_nextSegment].memory);
    return m_addresses;
}

void ScriptPlayer::recordUsage(std::int64_t event)
{
    const Bytes reserved = m_allocator.reservedBytes();
    if (reserved != m_result.reserved.back().bytes)
        m_result.reserved.push_back({event, reserved});
    if (reserved > m_result.reservedPeak) {
        m_result.reservedPeak = reserved;
        m_result.reservedPeakEvent = event;
        m_result.allocatedAtPeak = m_allocator.allocatedBytes();
        m_result.freeBlocksAtPeak = m_allocator.blocks().freeCount();
    }
    if (m_allocator.allocatedBytes() > m_result.allocatedPeak) {
        m_result.allocatedPeak = m_allocator.allocatedBytes();
        m_result.allocatedPeakEvent = event;
    }
}

void separateFlushes(AllocationScript& script, const std::vector<AmbiguousRelease>& ambiguous)
{
    if (ambiguous.empty())
        return;
    const WhatIf asRecorded{script.settings, {}};
    ScriptPlayer player(script, asRecorded);
    ScriptSteps explained;
    const auto playAndKeep = [&](const ScriptStep& step) {
        player.play(step);
        explained.push_back(step);
    };
    std::size_t nextStep = 0;
    for (const AmbiguousRelease& release : ambiguous) {
        for (; nextStep < release.firstStep; ++nextStep)
            playAndKeep(script.steps[nextStep]);
        const ScriptStep& allocate = script.steps[release.allocateStep];
        if (player.hasCached(allocate))
            continue;
        if (release.limit > 0)
            script.shortages.push_back({allocate.event, release.limit});
        playAndKeep(allocate);
        for (; script.steps[nextStep].action != ScriptAction::EmptyCache; ++nextStep)
            playAndKeep(script.steps[nextStep]);
        nextStep = release.allocateStep + 1;
    }
    for (; nextStep < script.steps.size(); ++nextStep)
        explained.push_back(script.steps[nextStep]);
    script.steps = std::move(explained);
}

} // namespace highwater
