#pragma once

#include <string>
#include <vector>

namespace highwater::cli {

struct RehearsalOutcome;

/// Returns the functions that failed because Highwater does not simulate them, although they have an effect
/// on a real GPU. The command may have handled the failures.
std::vector<std::string> unsimulatedCalls(const RehearsalOutcome& outcome);

/// Returns the parts of the command's work that the verdict does not cover: sentences without a full stop.
std::vector<std::string> gapsOf(const RehearsalOutcome& outcome);

} // namespace highwater::cli
