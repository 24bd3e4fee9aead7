#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/what_if.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// Settings that would have served this run better, with the proof.
struct SettingsAdvice
{
    AllocatorSettings settings;
    std::string configuration; ///< value for PYTORCH_CUDA_ALLOC_CONF, including the run's other options
    std::string change; ///< "expandable_segments:True": the difference from the recorded settings
    /// By how much the reserved peak falls; negative where it rises because a request that failed now fits.
    Bytes savedBytes = 0;
    std::int64_t fittingFailures = 0; ///< recorded failures that fit with these settings
    WhatIfResult result;
};

/// The settings that were tried, and the results.
struct SettingsStudy
{
    WhatIfResult recorded; ///< the replay with the recorded settings
    ReplayFidelity fidelity;
    /// Best first: most failed requests served, then largest saving. Empty where nothing helps or the replay
    /// cannot be trusted.
    std::vector<SettingsAdvice> advice;
    std::string missingRule; ///< of settings that would have helped by replays that cannot be relied on
    std::int64_t tried = 0; ///< number of settings; 0 where the replay cannot be trusted
};

/// The replay with the recorded settings alone, without trying others.
SettingsStudy recordedReplay(const AllocationScript& script);

/// Tries some settings one at a time (expandable segments on and off, max_split_size_mb, roundup divisions)
/// and keeps those that are proven to help: a request that failed fits, or the reserved peak falls by more
/// than 2 %; and no request fails that did not. Nothing is tried where the replay with the recorded settings
/// does not match the record. Costs at most one replay each: it ends where the settings are certain not to
/// help.
SettingsStudy settingsAdvice(const AllocationScript& script);

/// The same without settings that only put a failure off: a request that fits must leave room for what
/// earlier requests of its stack were followed by in their steps (until the next such request, where steps
/// are not known), scaled to its size, unless a whole step after the failure is recorded, which the replay
/// serves.
SettingsStudy lastingAdvice(const AllocationScript& script, const UsageCurve& curve, const StepTable& steps);

/// More than any setting saves of the reserved peak where the replay is trusted and no request failed: what
/// is live must be reserved. Without a replay. O(1).
Bytes mostSaving(const UsageCurve& requested);

/// Why there is no advice; empty where there is some.
std::string reasonForSilence(const SettingsStudy& study);

/// The options to change in PYTORCH_CUDA_ALLOC_CONF to get from one to the other
/// ("expandable_segments:True"); settings that return to the allocator's default are named as "without …".
std::string changeText(const AllocatorSettings& from, const AllocatorSettings& to);

} // namespace highwater
