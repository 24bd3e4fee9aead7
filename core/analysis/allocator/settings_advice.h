#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/what_if.h"

namespace highwater {

/// Settings with which this run would have been better off, and the proof.
struct SettingsAdvice
{
    AllocatorSettings settings;
    std::string configuration; ///< what to set for it, the other options of the run included
    std::string change; ///< "expandable_segments:True", what is different from the recorded settings
    /// By how much the reserved peak falls; negative where it rises, because a failed request fits.
    Bytes savedBytes = 0;
    std::int64_t fittingFailures = 0; ///< requests that failed and fit
    WhatIfResult result;
};

/// What was tried, and what came of it.
struct SettingsStudy
{
    WhatIfResult recorded; ///< the replay with the recorded settings
    ReplayFidelity fidelity;
    /// Best first: those with which the most failed requests fit, then the largest saving. Empty where
    /// nothing helps, or the replay is not to be trusted.
    std::vector<SettingsAdvice> advice;
    std::int64_t tried = 0; ///< settings; 0 where the replay is not to be trusted
};

/// The replay with the recorded settings alone, without trying others.
SettingsStudy recordedReplay(const AllocationScript& script);

/// Tries some settings one at a time (expandable segments on and off, max_split_size_mb, roundup
/// divisions) and keeps those that are proven: a request that failed fits, or the reserved peak falls by more
/// than 2 %; and no request fails that did not. Nothing is tried where the replay with the recorded settings
/// does not match the record. Costs one replay each.
SettingsStudy settingsAdvice(const AllocationScript& script);

/// Why there is no advice; empty where there is some.
std::string reasonForSilence(const SettingsStudy& study);

/// "expandable_segments:True": what a person has to set in PYTORCH_CUDA_ALLOC_CONF to get from one to the
/// other; settings that are back at the allocator's default are named as "without …".
std::string changeText(const AllocatorSettings& from, const AllocatorSettings& to);

} // namespace highwater
