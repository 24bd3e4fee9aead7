#pragma once

#include "app/cli/commands/commands.h"
#include "core/run/gpu_models.h"

namespace highwater::cli {

/// Finds the largest number for the placeholder of `options.find` with which the command fits the GPU, by
/// rehearsals, and prints what they have shown. The first snapshot of the largest run that fits is written to
/// `options.out`, and the trials to a file next to it, from which an interrupted search goes on. Returns an
/// exit code.
int findLargest(const RehearseOptions& options, const GpuModel& gpu);

} // namespace highwater::cli
