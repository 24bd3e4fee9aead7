#pragma once

#include <span>
#include <vector>

#include "core/analysis/allocator/starting_state.h"
#include "core/analysis/allocator/what_if.h"
#include "core/base/interruption.h"

namespace highwater {

/// Replays the steps of a script on an allocator, one at a time, and records the outcome.
class ScriptPlayer
{
public:
    /// `script` must outlive the player. The allocator starts in the state before the first event.
    ScriptPlayer(const AllocationScript& script, const WhatIf& change)
        : ScriptPlayer(script, change, script.limit)
    {
    }
    /// Limits the driver to `limit` bytes instead of the limit of the script.
    ScriptPlayer(const AllocationScript& script, const WhatIf& change, Bytes limit);

    /// Plays a step; steps must come in the order of the script.
    void play(const ScriptStep& step);
    /// True if a cached block would serve the request of this Allocate step now.
    bool hasCached(const ScriptStep& allocate);
    const CachingAllocator& allocator() const { return m_allocator; }
    std::int64_t newFailures() const { return m_result.newFailures; }
    Bytes reservedPeak() const { return m_result.reservedPeak; }
    WhatIfResult result() const;

private:
    void performStep(const ScriptStep& step);
    void allocate(const ScriptStep& step);
    bool allocateWhenShort(const ScriptStep& step, const MemoryRequest& request);
    void retryFailure(const RecordedFailure& failure);
    void releasePools(std::int64_t event);
    MemoryRequest requestOf(AllocationIndex allocation) const;
    std::span<const DriverAddress> driverAddresses(std::int64_t event);
    void recordUsage(std::int64_t event);

    const AllocationScript& m_script;
    const AllocationTable& m_allocations;
    RemovedAllocations m_removed;
    /// With settings other than the recorded ones, a failed request that now fits stays in use to the end,
    /// because later requests must fit next to it.
    bool m_keepsFailures;
    CachingAllocator m_allocator;
    Bytes m_limit;
    WhatIfResult m_result;
    InterruptionCounter m_interruption;
    std::vector<DriverAddress> m_addresses;
    std::size_t m_nextSegment = 0;
    std::size_t m_nextPool = 0;
    std::size_t m_nextShortage = 0;
};

/// Memory that was returned to the driver right before an allocation that got new memory, either by a flush
/// of the allocator or by a call of `empty_cache`.
struct AmbiguousRelease
{
    std::size_t firstStep = 0; ///< index of the first late free; EmptyCache follows the late frees
    std::size_t allocateStep = 0; ///< index of the Allocate step that follows the late frees
    Bytes limit = 0; ///< limit that explains the flush; 0 if the capacity does
    Bytes refusedBytes = 0; ///< total that the driver refused to provide; 0 if unknown
};

/// Decides each case by one replay of the script: if a cached block serves the allocation, the memory was
/// returned by `empty_cache`, and the steps stay. Else the allocator flushed its cache: the EmptyCache step
/// is removed, and the late frees move after the allocation, because a flush waits for other streams only
/// after the search for a block has failed. A limit that explains the flush becomes a shortage of the script.
void separateFlushes(AllocationScript& script, const std::vector<AmbiguousRelease>& ambiguous);

} // namespace highwater
