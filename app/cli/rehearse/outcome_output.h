#pragma once

#include "app/cli/rehearse/outcome.h"
#include "core/base/json.h"

namespace highwater::cli {

/// Returns the document of `rehearse --json`, without the diagnosis, `at_failure` and `tries`.
nlohmann::ordered_json outcomeJson(const RehearsalOutcome& outcome);

/// Prints the whole report on standard output, for people.
void printOutcome(const RehearsalOutcome& outcome);

/// Prints that memory grows from step to step, how long it would last if that is known, and what to do.
void printGrowth(const MemoryGrowth& growth);

/// Prints growth, what the verdict assumes, what it does not cover, and where the run differs from one on a
/// real GPU. Prints nothing if the command failed or does not fit.
void printDoubts(const RehearsalOutcome& outcome);

/// Prints on standard error why there is no verdict, why it covers only a part of the command, or what may
/// have made the command fail or run out of memory. Prints nothing for a whole verdict without such a reason.
void printShortcomings(const RehearsalOutcome& outcome);

} // namespace highwater::cli
