#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// The failure that a diagnosis reports, with the related data. The pointers refer to the `DiagnosedRun`;
/// null pointers everywhere mean that nothing failed, or only another rank.
struct LeadingFailure
{
    const OomEvent* event = nullptr; ///< event of the device; null if only a log has the failure
    const RunLog* log = nullptr; ///< null if only the device's events have the failure
    const LogEvent* message = nullptr; ///< a message in `log`
    std::vector<const LogEvent*> messages; ///< all messages about the failure, including `message`
    std::int64_t count = 0; ///< number of failures of the run, including this one
    std::optional<bool> fatal; ///< as `Diagnosis::fatal`

    bool isFound() const { return event || message; }
};

/// Finds the leading failure. First come failures that ended the run, then those that may have ended it, then
/// those that it survived; failures that may not concern memory come last. Among equals, the first one leads.
/// The last out-of-memory event of the device leads, unless another failure ended the run. O(messages).
LeadingFailure leadingFailure(const DiagnosedRun& run);

/// Returns the index of the finding about the leading failure; nullopt if there is none.
std::optional<std::size_t> findingOf(const LeadingFailure& failure, const std::vector<Finding>& findings);

/// True if the evidence of a finding includes a message about the failure.
bool isAbout(const Finding& finding, const LeadingFailure& failure);

/// Returns the line of the user's code that made the failed request, else the innermost Python line; nullopt
/// if no file has it.
std::optional<FailurePlace> placeOf(const LeadingFailure& failure, const DiagnosedRun& run);

} // namespace highwater
