#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// The failure that a diagnosis is about, and all that the files tell of it.
struct LeadingFailure
{
    const OomEvent* event = nullptr; ///< of the device; null: only a log tells of it
    const RunLog* log = nullptr; ///< null: only the device tells of it
    const LogEvent* message = nullptr; ///< of `log`
    std::vector<const LogEvent*> messages; ///< all about it, `message` included
    std::int64_t count = 0; ///< failures of the run, this one included
    std::optional<bool> fatal;

    bool any() const { return event || message; }
};

/// A failure that ended the run comes first, then one that may have, then one that was survived; what may be
/// no failure of memory comes last. Among equals the first. O(messages).
LeadingFailure leadingFailure(const DiagnosedRun& run);

/// The finding about that failure, an index; none: there is none.
std::optional<std::size_t> findingOf(const LeadingFailure& failure, const std::vector<Finding>& findings);

/// Whether a finding rests on a message about that failure.
bool isAbout(const Finding& finding, const LeadingFailure& failure);

/// The innermost line of the user's own code whose request failed; none: no file tells it.
std::optional<FailurePlace> placeOf(const LeadingFailure& failure, const DiagnosedRun& run);

} // namespace highwater
