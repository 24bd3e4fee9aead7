#pragma once

#include <optional>
#include <string>

#include "app/cli/rehearse/outcome.h"

namespace highwater::cli {

/// Returns a clause that says how the command ended: "the command failed with exit code 1".
std::string commandEndClause(const rehearse::RehearsalResult& result);

/// Returns the clause for one process: how the command ended or, if it ended without an error, how the
/// process did ("process 7 was killed").
std::string processEndClause(
    const rehearse::RehearsedProcess& process, const rehearse::RehearsalResult& result);

/// Returns the values that the second run used in place of 0: "1" or "other numbers".
std::string otherValues(const SecondRun& second);

/// Returns the verdict on one device, without a full stop: "fits: 1.1 GiB reserved at the peak, at least
/// ...".
std::string verdictSentence(const rehearse::DeviceVerdict& device, const rehearse::RehearsedProcess& process,
    const RehearsalOutcome& outcome);

/// Returns why values that were read back leave the verdict open.
std::string whyIncomplete(const std::optional<SecondRun>& second);

} // namespace highwater::cli
