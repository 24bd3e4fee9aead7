#pragma once

#include <string>
#include <vector>

#include "core/run/run_shape.h"

namespace highwater {

/// What people vary first to make this run smaller, each as `whatIfAxisFromText` reads it: "batch=4,2,1",
/// "optimizer=adamw-8bit,adafactor,sgd". Only settings that the run gives and values that differ from its
/// own.
std::vector<std::string> usualVariations(const RunShape& run);

} // namespace highwater
