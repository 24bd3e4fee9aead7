#pragma once

#include <string>
#include <vector>

namespace highwater::cli {

struct RehearsalOutcome;

/// Returns the functions that would have had an effect on a GPU but failed here, however the command reacted.
std::vector<std::string> missedCalls(const RehearsalOutcome& outcome);

/// Returns the parts of the command's work, here or on a GPU, that the verdict does not cover: sentences
/// without a full stop.
std::vector<std::string> gapsOf(const RehearsalOutcome& outcome);

} // namespace highwater::cli
