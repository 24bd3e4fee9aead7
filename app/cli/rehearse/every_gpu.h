#pragma once

#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/gpu_survey.h"
#include "core/run/gpu_models.h"

namespace highwater::cli {

/// Rehearses the command once for each compute capability among the GPUs, without a limit of memory, until it
/// is interrupted. Prints which of the GPUs it fits, or why it cannot be rehearsed. Returns an exit code: 0
/// if it certainly fits at least one and was not interrupted.
int rehearseOnEveryGpu(const RehearseOptions& options, const std::vector<GpuModel>& gpus);

/// Returns a copy of the GPU with more memory than any real one, for a rehearsal without a limit.
GpuModel withoutLimit(GpuModel gpu);

/// Judges GPUs, in their order, by the snapshots of a rehearsal without a limit on a GPU of the same compute
/// capability. A verdict on the rehearsal other than Fits holds for every GPU; if it recorded nothing, the
/// verdict is Failed.
std::vector<rehearse::JudgedGpu> judgeGpus(
    const RehearsalOutcome& outcome, const std::vector<GpuModel>& gpus, const CommonOptions& options);

} // namespace highwater::cli
