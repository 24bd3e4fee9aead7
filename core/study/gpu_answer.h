#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/detectors/finding.h"
#include "core/study/run_study.h"

namespace highwater {

/// The answer to "would this run fit that GPU?", in words that the window and the command line share.
struct GpuAnswer
{
    /// A verdict in JSON: "fits", "too-close", "does-not-fit"; of recorded bytes that fit, but do not settle
    /// the answer, "grows" or "at-least", as `verdictText` has them.
    std::string_view verdict;
    /// "does not fit L4, 8.2 GiB short", "fits L4, 1.1 GiB left", "too close to say for L4". Of a run that
    /// died, only the failed request is known: "the failed request fits L4, …"; of one that is not recorded
    /// whole, only a part: "fits L4 up to the cut, at most 1.1 GiB left".
    std::string text;
    std::string detail; ///< how it was computed, in sentences
};

/// Judges whether the recorded run fits the chosen GPU, with the usual memory outside PyTorch, without its
/// findings. Returns nullopt if no GPU was chosen, for host memory, and for a run without known memory.
std::optional<GpuAnswer> answerForGpu(const DeviceStudy& device, const std::optional<DeviceCapacity>& chosen);

/// Judges whether the run fits its chosen GPU, with its findings: a run whose memory grows fits only for a
/// time. Memory outside PyTorch is that of the configuration, else the usual. `fixed` is a finding whose fix
/// the run is assumed to have; null for the run as it is.
std::optional<GpuAnswer> answerForGpu(const RunStudy& run, const Finding* fixed = nullptr);

/// Returns what a finding's fix means for the chosen GPU: "With this fix: fits L4, 1.1 GiB left."; empty
/// if no GPU was chosen, for a failure or merged finding, and if the fix saves no known bytes of the run.
std::string fitSentence(const RunStudy& run, const Finding& finding);

} // namespace highwater
