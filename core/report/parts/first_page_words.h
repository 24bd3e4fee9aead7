#pragma once

#include <string>

#include "core/report/input/report_material.h"

namespace highwater {

/// Returns what keeps or allocates the memory that a failed request lacked, else the cause that the class of
/// the failure is by itself; empty if neither adds to the headline.
std::string causeWords(const RunStudy& study);

/// Returns the first three failed requests of the run's logs with their ranks and GPUs: "A request of 680 MiB
/// failed: line 27, rank 0, GPU 0, after step 3; also line 28, rank 1, GPU 1, after step 3."; empty if there
/// are none.
std::string loggedFailures(const RunMaterial& run);

} // namespace highwater
