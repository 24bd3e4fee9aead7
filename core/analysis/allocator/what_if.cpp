#include "core/analysis/allocator/what_if.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/analysis/allocator/starting_state.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

class Replay
{
public:
    Replay(const AllocationScript& script, const WhatIf& change)
        : m_script(script)
        , m_allocations(*script.allocations)
        , m_sizes(m_allocations, change)
        , m_allocator(change.settings, m_allocations.size(), script.driver())
    {
        layOut(m_allocator, script, m_sizes);
        m_result.reserved.push_back({-1, m_allocator.reservedBytes()});
        note(-1);
    }

    WhatIfResult run()
    {
        for (const ScriptStep& step : m_script.steps) {
            play(step);
            note(std::max<std::int64_t>(step.event, m_result.reserved.back().event));
        }
        m_result.calls = m_allocator.calls();
        return std::move(m_result);
    }

private:
    void play(const ScriptStep& step)
    {
        switch (step.action) {
        case ScriptAction::Allocate: allocate(step); break;
        case ScriptAction::RequestFree: m_allocator.requestFree(step.allocation); break;
        case ScriptAction::Free: m_allocator.free(step.allocation); break;
        case ScriptAction::OutOfMemory: tryAgain(m_script.failures[step.allocation]); break;
        case ScriptAction::EmptyCache:
            releasePools(step.event);
            m_allocator.emptyCache();
            break;
        }
    }

    void allocate(const ScriptStep& step)
    {
        const AllocationIndex allocation = step.allocation;
        const auto recorded = driverAddresses(step.event);
        const Bytes bytes = m_sizes.of(allocation);
        if (bytes == ChangedSizes::kRemoved)
            return;
        const PoolId pool = privatePool(*m_script.trace, m_allocations.pool(allocation));
        if (!m_allocator.allocate(allocation, {bytes, m_allocations.stream(allocation), pool, recorded})) {
            ++m_result.newFailures;
            if (m_result.firstNewFailure < 0)
                m_result.firstNewFailure = step.event;
            return;
        }
        ++m_result.allocations;
        const SimulatedBlock& block = m_allocator.blocks().block(m_allocator.blockOf(allocation));
        m_result.placedAsRecorded += block.address == m_allocations.address(allocation);
    }

    void tryAgain(const RecordedFailure& failure)
    {
        releasePools(failure.event);
        m_allocator.setLimit(failure.limit);
        const bool fits = m_allocator.serves(
            {failure.bytes, failure.stream, failure.pool, driverAddresses(failure.event)});
        m_allocator.setLimit(m_script.limit);
        const Bytes spare = fits ? failure.limit - m_allocator.reservedBytes() : 0;
        m_result.failures.push_back({failure.event, failure.bytes, fits, spare});
    }

    void releasePools(std::int64_t event)
    {
        for (;
             m_nextPool < m_script.releasedPools.size() && m_script.releasedPools[m_nextPool].event <= event;
             ++m_nextPool)
            m_allocator.makeReleasable(m_script.releasedPools[m_nextPool].pool);
    }

    /// What the recorded run got from the driver in the call that ends with the event.
    std::span<const DriverAddress> driverAddresses(std::int64_t event)
    {
        m_addresses.clear();
        for (; m_nextSegment < m_script.segments.size() && m_script.segments[m_nextSegment].event < event;
             ++m_nextSegment)
            m_addresses.push_back(m_script.segments[m_nextSegment].memory);
        return m_addresses;
    }

    void note(std::int64_t event)
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

    const AllocationScript& m_script;
    const AllocationTable& m_allocations;
    ChangedSizes m_sizes;
    CachingAllocator m_allocator;
    WhatIfResult m_result;
    std::vector<DriverAddress> m_addresses;
    std::size_t m_nextSegment = 0;
    std::size_t m_nextPool = 0;
};

/// Value of a list of changes at rising events.
class Follower
{
public:
    explicit Follower(const std::vector<ReservedChange>& changes)
        : m_changes(changes)
    {
    }
    Bytes at(std::int64_t event)
    {
        while (m_at + 1 < m_changes.size() && m_changes[m_at + 1].event <= event)
            ++m_at;
        return m_changes[m_at].bytes;
    }

private:
    const std::vector<ReservedChange>& m_changes;
    std::size_t m_at = 0;
};

void compare(ReplayFidelity& fidelity, std::int64_t event, Bytes simulated, Bytes recorded)
{
    const Bytes deviation = simulated - recorded;
    ++fidelity.compared;
    fidelity.exact += deviation == 0;
    if (std::abs(deviation) > std::abs(fidelity.largestDeviation)) {
        fidelity.largestDeviation = deviation;
        fidelity.event = event;
        fidelity.recordedThere = recorded;
    }
    const double share = deviation == 0 ? 0
        : recorded > 0 ? std::abs(static_cast<double>(deviation) / static_cast<double>(recorded))
                       : 1;
    fidelity.share = std::max(fidelity.share, share);
}

} // namespace

std::int64_t WhatIfResult::fittingFailures() const
{
    return std::count_if(
        failures.begin(), failures.end(), [](const FailureOutcome& outcome) { return outcome.fits; });
}

Bytes WhatIfResult::leastSpareBytes() const
{
    std::optional<Bytes> least;
    for (const FailureOutcome& outcome : failures)
        if (outcome.fits)
            least = std::min(least.value_or(outcome.spareBytes), outcome.spareBytes);
    return least.value_or(0);
}

WhatIfResult replay(const AllocationScript& script, const WhatIf& change)
{
    return Replay(script, change).run();
}

ReplayFidelity fidelityOf(const AllocationScript& script, const WhatIfResult& result)
{
    ReplayFidelity fidelity;
    Follower simulated(result.reserved);
    Follower recorded(script.reserved);
    compare(fidelity, -1, simulated.at(-1), recorded.at(-1));
    std::int64_t last = -1;
    for (const ScriptStep& step : script.steps) {
        // What a call frees late stands before it in the record.
        if (step.event <= last || step.action == ScriptAction::EmptyCache)
            continue;
        last = step.event;
        compare(fidelity, step.event, simulated.at(step.event), recorded.at(step.event));
    }
    const std::int64_t end = script.allocations->eventCount() - 1;
    compare(fidelity, end, simulated.at(end), recorded.at(end));
    fidelity.allocations = result.allocations;
    fidelity.placedAsRecorded = result.placedAsRecorded;
    fidelity.newFailures = result.newFailures;
    fidelity.failuresHold = result.fittingFailures() == 0;
    return fidelity;
}

std::string sentenceOf(const ReplayFidelity& fidelity)
{
    std::string text = fidelity.exact == fidelity.compared
        ? fmt::format(
            "reserves what was recorded, to the byte, after all {} calls", formatCount(fidelity.compared))
        : fmt::format("reserves what was recorded to within {:.2f} %: {} at event {}, where {} was recorded; "
                      "exact after {} of {} calls",
            fidelity.share * 100, formatBytesDelta(fidelity.largestDeviation), formatCount(fidelity.event),
            formatBytes(fidelity.recordedThere), formatCount(fidelity.exact), formatCount(fidelity.compared));
    text += fmt::format("; {} of {} allocations at the recorded address",
        formatCount(fidelity.placedAsRecorded), formatCount(fidelity.allocations));
    if (fidelity.newFailures > 0)
        text += fmt::format("; {} requests that succeeded fail", formatCount(fidelity.newFailures));
    if (!fidelity.failuresHold)
        text
            += "; a request that failed in the recorded run fits: something outside of the allocator's rules "
               "forbade it";
    return text;
}

} // namespace highwater
