#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/allocator/what_if.h"

namespace highwater {

/// Plays the script to an allocator with these settings. Deterministic; O(steps × log blocks) beyond what
/// goes to the driver.
///
/// What was there before the first event stays where the recorded run had it, whatever the settings: only
/// what happens in the trace is played anew. Of what was there, removed allocations leave their segments (or
/// whole pages) unreserved, where nothing else lives in them.
WhatIfResult replay(const AllocationScript& script, const WhatIf& change);

/// How close a replay with the recorded settings comes to what was recorded. Compared after each call to the
/// allocator: segment events belong to the call that follows them.
struct ReplayFidelity
{
    static constexpr double kTrusted = 0.02;

    std::int64_t compared = 0; ///< calls
    std::int64_t exact = 0; ///< calls after which the reserved bytes are the same
    Bytes largestDeviation = 0; ///< simulated minus recorded, where that is farthest from 0
    std::int64_t event = -1; ///< the first with that deviation
    Bytes recordedThere = 0;
    double share = 0; ///< of the recorded bytes, the largest of all events, without sign
    std::int64_t allocations = 0;
    std::int64_t placedAsRecorded = 0;
    std::int64_t newFailures = 0;
    bool failuresHold = true; ///< what failed in the recorded run fails in the replay

    /// Off by no more than 2 % anywhere, and nothing fails that did not.
    bool isTrusted() const { return share <= kTrusted && newFailures == 0; }
};

ReplayFidelity fidelityOf(const AllocationScript& script, const WhatIfResult& recordedSettings);

/// "the replay with the recorded settings reserves what was recorded, to the byte, after all 9,670 calls".
std::string sentenceOf(const ReplayFidelity& fidelity);

} // namespace highwater
