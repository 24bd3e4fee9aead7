#pragma once

#include "app/cli/rehearse/outcome.h"
#include "core/base/json.h"

namespace highwater::cli {

/// Returns the document of `rehearse --json`, without the diagnosis.
nlohmann::ordered_json outcomeJson(const RehearsalOutcome& outcome);

/// Prints the verdict in words on standard output: one line for each device, or one for all ranks if they are
/// alike.
void printOutcome(const RehearsalOutcome& outcome);

/// Prints that memory grows from step to step, how long it would last, and what to do.
void printGrowth(const MemoryGrowth& growth);

/// Prints what the verdict assumes, what it does not cover, and where the run differs from one on a real GPU.
void printDoubts(const RehearsalOutcome& outcome);

/// Prints on standard error why there is no verdict, or why the verdict covers only a part of the command.
void printShortcomings(const RehearsalOutcome& outcome);

} // namespace highwater::cli
