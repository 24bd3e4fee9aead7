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
    /// Both must outlive the player. The allocator starts in the state before the first event.
    ScriptPlayer(const AllocationScript& script, const WhatIf& change)
        : ScriptPlayer(script, change, script.limit)
    {
    }
    /// The driver can hand out so many bytes, whatever the script says.
    ScriptPlayer(const AllocationScript& script, const WhatIf& change, Bytes limit);

    void play(const ScriptStep& step);
    /// Whether a cached block would serve this step's request at this moment.
    bool hasCached(const ScriptStep& allocate);
    const CachingAllocator& allocator() const { return m_allocator; }
    std::int64_t newFailures() const { return m_result.newFailures; }
    Bytes reservedPeak() const { return m_result.reservedPeak; }
    WhatIfResult result() const;

private:
    void act(const ScriptStep& step);
    void allocate(const ScriptStep& step);
    bool allocateWhenShort(const ScriptStep& step, const MemoryRequest& request);
    void tryAgain(const RecordedFailure& failure);
    void releasePools(std::int64_t event);
    MemoryRequest requestOf(AllocationIndex allocation) const;
    std::span<const DriverAddress> driverAddresses(std::int64_t event);
    void note(std::int64_t event);

    const AllocationScript& m_script;
    const AllocationTable& m_allocations;
    RemovedAllocations m_removed;
    /// With other settings a request that fits is in use to the end: what follows must fit beside it.
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

/// Memory that was returned to the driver right before an allocation that the driver could not serve: by a
/// flush of the allocator, or by a call of `empty_cache`.
struct AmbiguousRelease
{
    std::size_t firstStep = 0; ///< of the frees that completed late; EmptyCache follows them
    std::size_t allocate = 0; ///< the step after them
    Bytes limit = 0; ///< the limit that explains the flush; 0: the capacity does
    Bytes refusedBytes = 0; ///< that the driver would have held with what was asked of it; 0: not told
};

/// Decides each case by a replay: an allocation that a cached block serves does not flush. Where it does
/// flush, the EmptyCache step is removed and the late frees move behind the allocation: a flush waits for
/// other streams only after the search for a block has failed.
void explainReleases(AllocationScript& script, const std::vector<AmbiguousRelease>& ambiguous);

} // namespace highwater
