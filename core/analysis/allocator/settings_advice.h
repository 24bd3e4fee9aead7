#pragma once

#include <string>
#include <vector>

#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/what_if.h"
#include "core/analysis/steps/step_table.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// Settings with which the run would have needed less memory, and the replay that proves it.
struct SettingsAdvice
{
    AllocatorSettings settings;
    std::string configuration; ///< value for PYTORCH_CUDA_ALLOC_CONF, including the run's other options
    std::string change; ///< "expandable_segments:True": the difference from the recorded settings
    /// Decrease of the reserved peak; negative if it rises because a request that failed now fits.
    Bytes savedBytes = 0;
    std::int64_t fittingFailures = 0; ///< recorded failures that fit with these settings
    WhatIfResult result;
};

/// The result of trying other allocator settings by replay.
struct SettingsStudy
{
    WhatIfResult recorded; ///< the replay with the recorded settings
    ReplayFidelity fidelity;
    /// Best first: most failed requests served, then largest saving. Empty where nothing helps or the replay
    /// cannot be trusted.
    std::vector<SettingsAdvice> advice;
    /// Why settings that seem to help are not advised (`reasonNotToTrust`); empty if there are none.
    std::string doubt;
    std::vector<std::string> tried; ///< changes of settings; empty where the replay cannot be trusted
};

/// Replays with the recorded settings only, without trying others.
SettingsStudy recordedReplay(const AllocationScript& script);

/// Tries some settings one at a time (expandable segments on and off, max_split_size_mb, roundup divisions)
/// and keeps those that are proven to help: a request that failed now fits, or the reserved peak falls by
/// more than 2%, and no request fails that succeeded before. Tries nothing if the replay with the recorded
/// settings is not trusted (`ReplayFidelity`). Each setting costs one replay, which stops once the setting is
/// certain not to help, and one that helps `reasonNotToTrust`.
SettingsStudy settingsAdvice(const AllocationScript& script);

/// Does the same as `settingsAdvice`, but drops settings that only postpone a failure. A request that now
/// fits must leave room for the growth that followed earlier requests of the same stack within their steps,
/// scaled to its size. If steps are unknown, growth is measured until the next such request. A request
/// without earlier ones of its stack does not count as fitting. If a whole step after the failure is
/// recorded, no room is required, because the replay served that step.
SettingsStudy lastingAdvice(const AllocationScript& script, const UsageCurve& curve, const StepTable& steps);

/// Returns an upper bound of what any setting saves of the reserved peak: live memory must be reserved in any
/// case. Holds if the replay is trusted and no request failed. Needs no replay. O(1).
Bytes savingUpperBound(const UsageCurve& requested);

/// Names what to change: "Add max_split_size_mb:128 to PYTORCH_CUDA_ALLOC_CONF", "Remove max_split_size_mb
/// from PYTORCH_CUDA_ALLOC_CONF"; if options are both added and removed, or were none, the whole value: "Set
/// PYTORCH_CUDA_ALLOC_CONF=… (…)".
std::string settingAction(const SettingsAdvice& advice);

/// Explains why there is no advice; empty if there is some.
std::string reasonForNoAdvice(const SettingsStudy& study);

/// Returns the options to change in PYTORCH_CUDA_ALLOC_CONF to get from the old settings to the new ones
/// ("expandable_segments:True"). Settings that return to the allocator's default appear as "without …".
std::string changeText(const AllocatorSettings& oldSettings, const AllocatorSettings& newSettings);

} // namespace highwater
