#pragma once

#include <optional>
#include <string>

#include "core/analysis/usage/usage_curve.h"
#include "core/study/run_study.h"

namespace highwater {

/// A run as it would be with the fix that a finding recommends: the recorded events without the bytes that
/// the fix removes.
struct FixedRun
{
    /// The bytes in use; the peak is that of the run minus the saving of the finding.
    UsageCurve curve;
    /// The new peak: "14.2 GiB with this fix". Begins with "≥" or "≤" if the saving or the run's
    /// peak is a bound.
    std::string peakText;
    /// If the user chose a GPU, the answer for it: "fits L4, 1.1 GiB left". Else the smallest known GPU
    /// that has enough memory: "fits a GPU of 16 GB (T4)", or "may fit …" if the saving is an upper bound,
    /// with "up to the cut" if only a part of the run is recorded;
    /// "memory still leaks" if the run has a leak that the fix leaves, for which no GPU is large enough;
    /// empty if no known GPU is large enough, for host memory, and if the needed memory is unknown.
    std::string fitText;
};

/// Computes the run with the fix of one of its findings; nullopt if the saving is not computed from the run's
/// events. A GPU must have room for what PyTorch needed in the run, minus the saving, and for the memory
/// outside PyTorch: the usual, or what the configuration gives for a chosen GPU. O(events).
std::optional<FixedRun> fixedRun(const RunStudy& run, const Finding& finding);

} // namespace highwater
