#pragma once

#include "core/analysis/device/device_figures.h"
#include "core/run/choice/main_choice.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// Collects the facts by which files are assigned to runs. `device` is the device shown for the file, and
/// `figures` are its figures; both are null if the file has no device. O(events + segments + functions).
RunEvidence runEvidence(const Trace& trace, const Device* device, const DeviceFigures* figures);
/// Collects the facts from a summary. They contain neither marks, segments nor code, which a summary does not
/// have. O(moments).
RunEvidence runEvidence(const RankSummary& summary);
/// Makes the entry for the choice of a main file from a summary, whose identity must be complete. O(moments).
MainCandidate mainCandidate(const std::string& path, const RankSummary& summary);

} // namespace highwater
