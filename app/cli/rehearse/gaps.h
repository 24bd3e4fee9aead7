#pragma once

#include <string>
#include <vector>

namespace highwater::cli {

struct RehearsalOutcome;

/// Names the functions that failed because Highwater does not simulate them, although they have an effect on
/// a real GPU, and says how to do without them; empty if there are none. The command may have handled the
/// failures.
std::string unsimulatedText(const RehearsalOutcome& outcome);

/// Finds the parts of the command's work that the verdict does not cover: sentences without a full stop.
std::vector<std::string> findGaps(const RehearsalOutcome& outcome);

} // namespace highwater::cli
