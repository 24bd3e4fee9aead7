#pragma once

#include <string>
#include <vector>

#include "core/run/run_shape.h"

namespace highwater {

/// Returns the changes that people try first to make this run smaller, each as `whatIfAxisFromText` reads it:
/// "batch=4,2,1", "optimizer=adamw-8bit,adafactor,sgd". Varies the settings that the run gives and
/// checkpointing, each only to values that need less memory than the run's own.
std::vector<std::string> usualVariations(const RunShape& run);

} // namespace highwater
