#pragma once

#include "app/cli/rehearse/outcome.h"
#include "core/base/json.h"

namespace highwater::cli {

/// The document of `rehearse --json`, without the diagnosis.
nlohmann::ordered_json outcomeJson(const RehearsalOutcome& outcome);

/// The verdict in words, on standard output: a line for each device, or one for all ranks that are alike.
void printOutcome(const RehearsalOutcome& outcome);

/// Why there is no verdict, or only one of a part, on standard error.
void printShortcomings(const RehearsalOutcome& outcome);

} // namespace highwater::cli
