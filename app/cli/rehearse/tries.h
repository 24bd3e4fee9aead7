#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/rehearse/outcome.h"
#include "core/base/json.h"

namespace highwater::cli {

/// Changes, and whether the command fits with them. It is rehearsed without a limit of memory and judged
/// against the GPU's memory afterwards. If changes make it fit, it is rehearsed again within the limit.
struct Try
{
    std::vector<std::string> changes; ///< names; empty for the command as it is
    rehearse::Fit fit = rehearse::Fit::Failed;
    /// Without the limit; within the limit if that rehearsal does not fit or fits only for now. 0 if the
    /// command failed without a limit.
    Bytes reservedPeakBytes = 0;
    Bytes spareBytes = 0; ///< as `rehearse::JudgedGpu` or, within the limit, `rehearse::DeviceVerdict`
    /// Growth in the rehearsal within the limit; nullopt if there is none.
    std::optional<MemoryGrowth> growth = {};
    bool fitsForNow() const { return fit == rehearse::Fit::Fits && growth && growth->isFault; }
    /// The verdict covers everything that ran (`findGaps`). After a rehearsal within the limit, also no value
    /// that the command read back may have decided a size.
    bool isComplete = true;
};

/// The rehearsals that look for a change with which the command fits.
struct Tries
{
    std::vector<Try> rehearsals; ///< the first one is of the command as it is
    std::vector<std::string> pointless; ///< changes that have nothing to change in the command
    /// How the author makes a change that depends on the script, by the name of the change.
    std::map<std::string, std::string> advice;
    int maxSteps = 0; ///< optimizer steps after which each rehearsal was ended
    int maxConfirmingSteps = 0; ///< optimizer steps after which a rehearsal within the limit was ended
    std::chrono::duration<double> duration{}; ///< of the first rehearsal
    bool isInterrupted = false;

    /// Returns the first try that fits, also only for now, with the fewest changes and at least one; null if
    /// there is none.
    const Try* smallestFittingTry() const;
    /// Returns why the rehearsal without changes ends the search: a sentence without a full stop; empty if it
    /// does not.
    std::string obstacle() const;
};

/// Rehearses the command, which does not fit this GPU, as it is, then with changes: one at a time, in the
/// order of `kChanges`, until one fits or, with `--try all`, to the end. If none fits alone, the two best
/// together, then all that help. Only changes that `--try` names, if it names any, and that have something to
/// change are tried. Ends early if it is interrupted. Fails if the command cannot be rehearsed again.
Result<Tries> tryChanges(const RehearseOptions& options, const RehearsalOutcome& failed);

/// Prints what the tries have shown.
void printTries(const Tries& tries, const GpuModel& gpu);

nlohmann::ordered_json triesJson(const Tries& tries);

} // namespace highwater::cli
