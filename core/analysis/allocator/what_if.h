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

/// Outcome of a request that failed in the recorded run.
struct FailureOutcome
{
    std::int64_t event = 0;
    Bytes requestedBytes = 0;
    bool fits = false;
    Bytes spareBytes = 0; ///< bytes that could still have been reserved then, if it fits
    bool operator==(const FailureOutcome&) const = default;
};

/// Reserved bytes from an event until the next change.
using ReservedChange = UsageCurve::ReservedChange;

/// Outcome of the simulated run. Byte counts are sizes of blocks.
struct WhatIfResult
{
    Bytes reservedPeak = 0; ///< includes the moment before the first event
    std::int64_t reservedPeakEvent = -1; ///< first event that reaches the peak
    Bytes allocatedAtPeak
        = 0; ///< allocated bytes at that event; includes blocks that wait for another stream
    std::int64_t freeBlocksAtPeak = 0;
    Bytes allocatedPeak = 0;
    std::int64_t allocatedPeakEvent = -1;
    std::vector<ReservedChange> reserved; ///< the first entry has event −1
    std::vector<FailureOutcome> failures; ///< outcomes of the recorded failures, by event
    /// Number of requests that succeeded in the recorded run and would fail; the run goes on without them.
    std::int64_t newFailures = 0;
    std::int64_t firstNewFailure = -1; ///< event of the first new failure; −1 if there is none
    DriverCalls calls;
    std::int64_t allocations = 0; ///< number of those in the trace that are not removed and do not fail
    std::int64_t placedAsRecorded = 0; ///< number of those at their recorded address

    /// Fragmentation at the peak: reserved, but not allocated.
    Bytes freeAtPeak() const { return reservedPeak - allocatedAtPeak; }
    std::int64_t fittingFailures() const { return std::ranges::count_if(failures, &FailureOutcome::fits); }
    /// Returns the smallest spare amount among the failures that fit; 0 if none fits.
    Bytes leastSpareBytes() const;
};

} // namespace highwater
