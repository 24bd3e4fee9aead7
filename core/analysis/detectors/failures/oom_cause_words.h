#pragma once

#include <string>
#include <string_view>

#include "core/analysis/allocator/oom_verdict.h"
#include "core/trace/log_event.h"

namespace highwater {

/// The rule that tells of a cause. Empty for causes of which another rule tells, or nothing can be said.
std::string_view ruleOf(OomCause cause);

/// What to do about a cause, by a snapshot or a message alike; a sentence without a final full stop.
std::string actionForCause(OomCause cause);

/// What would prove such a cause wrong; a sentence without a final full stop.
std::string disproofOf(OomCause cause);

/// The maker's program that shows who holds a device's memory: "nvidia-smi", "npu-smi"; empty: there is none.
std::string_view monitorOf(const OomFigures& figures);

} // namespace highwater
