#pragma once

#include <optional>

#include "core/analysis/device/device_figures.h"
#include "core/run/choice/main_choice.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Collects the evidence for a file's run. `figures` are those of `device`, by which the file is shown; both
/// are null if it has no device. O(events + segments + functions).
RunEvidence runEvidence(const Trace& trace, const Device* device, const DeviceFigures* figures);
/// Does the same for a summary, which has neither marks nor code: its stacks are only those of the peak.
/// O(moments).
RunEvidence runEvidence(const RankSummary& summary);
/// Returns the facts of a rank's summary, whose identity must be complete. O(moments).
MainCandidate mainCandidate(const std::string& path, const RankSummary& summary);

} // namespace highwater
