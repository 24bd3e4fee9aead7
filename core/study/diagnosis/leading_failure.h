#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// The failure that a diagnosis is about, with all related data in the files.
struct LeadingFailure
{
    const OomEvent* event = nullptr; ///< event of the device; null if only a log reports the failure
    const RunLog* log = nullptr; ///< null if only the device's events report it
    const LogEvent* message = nullptr; ///< a message in `log`
    std::vector<const LogEvent*> messages; ///< all messages about it, including `message`
    std::int64_t count = 0; ///< number of failures of the run, including this one
    std::optional<bool> fatal;

    bool any() const { return event || message; }
};

/// Finds the leading failure: one that ended the run, else one that may have, else one that the run survived.
/// Failures that may have nothing to do with memory come last. Among equals the first one leads. O(messages).
LeadingFailure leadingFailure(const DiagnosedRun& run);

/// Returns the index of the finding about that failure, or nullopt if there is none.
std::optional<std::size_t> findingOf(const LeadingFailure& failure, const std::vector<Finding>& findings);

/// True if a finding is based on a message about that failure.
bool isAbout(const Finding& finding, const LeadingFailure& failure);

/// Returns the innermost line of the user's own code whose request failed; nullopt if no file gives it.
std::optional<FailurePlace> placeOf(const LeadingFailure& failure, const DiagnosedRun& run);

} // namespace highwater
