#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/allocator/allocation_script.h"

namespace highwater {

/// How the simulated run differs from the recorded one.
struct WhatIf
{
    AllocatorSettings settings;
    std::vector<AllocationIndex> removed; ///< allocations that do not happen; in any order
};

/// What became of a request that failed in the recorded run.
struct FailureOutcome
{
    std::int64_t event = 0;
    Bytes requestedBytes = 0;
    bool fits = false;
    Bytes spareBytes = 0; ///< where it fits: bytes that could still have been reserved then
    bool operator==(const FailureOutcome&) const = default;
};

/// Reserved bytes after an event; they hold up to the next change.
using ReservedChange = UsageCurve::ReservedChange;

/// What the allocator would have done. Byte counts are sizes of blocks.
struct WhatIfResult
{
    Bytes reservedPeak = 0; ///< includes the moment before the first event
    std::int64_t reservedPeakEvent = -1; ///< the first that reaches it
    Bytes allocatedAtPeak = 0; ///< at that event; includes blocks that wait for another stream
    std::int64_t freeBlocksAtPeak = 0;
    Bytes allocatedPeak = 0;
    std::int64_t allocatedPeakEvent = -1;
    std::vector<ReservedChange> reserved; ///< first entry: event −1
    std::vector<FailureOutcome> failures; ///< of the recorded run, by event
    /// Requests that succeeded in the recorded run and would fail; the run goes on without them.
    std::int64_t newFailures = 0;
    std::int64_t firstNewFailure = -1; ///< its event
    DriverCalls calls;
    std::int64_t allocations = 0; ///< in the trace, excluding those that fail
    std::int64_t placedAsRecorded = 0; ///< of these: placed at the recorded address

    /// Fragmentation at the peak: reserved, but not allocated.
    Bytes freeAtPeak() const { return reservedPeak - allocatedAtPeak; }
    std::int64_t fittingFailures() const { return std::ranges::count_if(failures, &FailureOutcome::fits); }
    /// The smallest spare amount among failures that fit; 0: none fits.
    Bytes leastSpareBytes() const;
};

} // namespace highwater
