#pragma once

#include <string>
#include <string_view>

#include "core/analysis/allocator/oom_verdict.h"
#include "core/trace/log_event.h"

namespace highwater {

/// Returns the rule that reports a cause. Empty for a cause that another rule reports, and for an unknown
/// cause.
std::string_view causeRule(OomCause cause);

/// Returns the action against a cause, whether a snapshot or a message shows it; a sentence without a final
/// full stop.
std::string actionForCause(OomCause cause);

/// Returns the action against a request that `throw_on_cudamalloc_oom` refused; a sentence without a final
/// full stop.
std::string actionForRefusal();

/// Returns the condition under which the cause would be wrong; a sentence without a final full stop. Empty if
/// the user can check none.
std::string causeDisproof(OomCause cause);

/// Returns the vendor's program that shows which processes use a device's memory: "nvidia-smi", "npu-smi".
/// Empty if there is none.
std::string_view monitorProgram(const OomFigures& figures);

} // namespace highwater
