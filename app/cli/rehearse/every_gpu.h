#pragma once

#include <vector>

#include "app/cli/commands/commands.h"
#include "core/run/gpu_models.h"

namespace highwater::cli {

/// Rehearses the command once for each compute capability among the GPUs, without a limit of memory, and
/// prints which of the GPUs it fits. Returns 0 if it fits at least one of them.
int rehearseOnEveryGpu(const RehearseOptions& options, const std::vector<GpuModel>& gpus);

} // namespace highwater::cli
