#pragma once

#include <string>
#include <vector>

namespace highwater::cli {

struct RehearsalOutcome;

/// Functions that would have done something on a GPU and failed here, whatever the command made of that.
std::vector<std::string> missedCalls(const RehearsalOutcome& outcome);

/// What the command did, or would have done on a GPU, that the verdict does not see: sentences without a full
/// stop.
std::vector<std::string> gapsOf(const RehearsalOutcome& outcome);

} // namespace highwater::cli
