#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/rehearse/outcome.h"
#include "app/rehearse/rehearsal.h"

namespace highwater::cli {

/// Returns the request to rehearse the options' command on this GPU. The options must be valid.
rehearse::RehearsalRequest requestFor(const RehearseOptions& options, const GpuModel& gpu);

/// Rehearses the command and judges it. If values that it read back may matter, it is repeated with other
/// values, unless `--once` is given. If the verdict is Fits or DoesNotFit, finds the growth of memory. Fails
/// as `rehearse` does.
Result<RehearsalOutcome> rehearseAndJudge(
    const rehearse::RehearsalRequest& request, const RehearseOptions& options);

} // namespace highwater::cli
