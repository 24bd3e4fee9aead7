#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/allocator/what_if.h"

namespace highwater {

/// Replays the script on an allocator with these settings. Deterministic; O(steps × log blocks), plus the
/// driver calls.
///
/// Only the events of the trace are replayed, so memory from before the first event keeps its recorded place
/// with all settings. Segments (or whole pages) in which every block from before the trace is removed are not
/// reserved.
WhatIfResult replay(const AllocationScript& script, const WhatIf& change);

/// Replays like `replay`, on a device whose driver provides `limit` bytes.
WhatIfResult replayWithin(const AllocationScript& script, const WhatIf& change, Bytes limit);

/// Replays like `replay`, but gives up and returns nothing as soon as a request fails that succeeded in the
/// recorded run, or more than `maxReserved` is reserved.
std::optional<WhatIfResult> replayUnlessWorse(
    const AllocationScript& script, const WhatIf& change, Bytes maxReserved);

/// Explains why the result of a replay with changes cannot be relied on, in words without a final full stop:
/// an option without a rule, or a full device whose capacity is not known closely enough. Empty if the result
/// can be relied on. May cost another replay if the device was full.
std::string reasonNotToTrust(
    const AllocationScript& script, const WhatIf& change, const WhatIfResult& result);

/// How closely a replay with the recorded settings matches the recording. Compared after each call to the
/// allocator: segment events belong to the call that follows them.
struct ReplayFidelity
{
    static constexpr double kTrusted = 0.02; ///< the largest `share` of a trusted replay

    /// Number of compared moments: before the first event, after each call, and at the end. A call that only
    /// empties the cache, or completes the free of another call, is left out.
    std::int64_t compared = 0;
    std::int64_t exact = 0; ///< number of them at which the reserved bytes are the same
    Bytes largestDeviation = 0; ///< simulated minus recorded, where the absolute difference is largest
    std::int64_t event = -1; ///< first event with that deviation
    Bytes recordedAtDeviation = 0;
    /// The largest deviation relative to the bytes recorded at the same event, which may be another event
    /// than that of `largestDeviation`; 1 where nothing was recorded as reserved.
    double share = 0;
    std::int64_t allocations = 0; ///< as `WhatIfResult` has them, like the next two
    std::int64_t placedAsRecorded = 0;
    std::int64_t newFailures = 0;
    bool failuresRepeat = true; ///< everything that failed in the recorded run also fails in the replay

    /// True if the replay has the same bytes after every call, every allocation at its address, and the same
    /// failures.
    bool isExact() const
    {
        return exact == compared && placedAsRecorded == allocations && newFailures == 0 && failuresRepeat;
    }
    /// True if the replay is within 2% everywhere, and no request fails that succeeded in the recording.
    bool isTrusted() const { return share <= kTrusted && newFailures == 0; }
};

/// Compares the recording with its replay, which must have the recorded settings. O(steps + changes of the
/// reserved bytes).
ReplayFidelity compareWithRecording(const AllocationScript& script, const WhatIfResult& result);

/// Completes a sentence about the replay: "reproduces every recorded address and reserved byte", "is within
/// 0.31% of the recording (…".
std::string sentenceOf(const ReplayFidelity& fidelity);

} // namespace highwater
