#pragma once

#include <optional>

#include "core/analysis/device/device_figures.h"
#include "core/run/choice/main_choice.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// `figures` of the device that the file is shown by; null: it has none. O(events + segments + functions).
RunEvidence runEvidence(const Trace& trace, const Device* device, const DeviceFigures* figures);
/// A summary has neither marks nor code: its stacks are those of the peak alone. O(moments).
RunEvidence runEvidence(const RankSummary& summary);
/// The facts of a rank's summary, whose identity must be complete. O(moments).
MainCandidate mainCandidate(const std::string& path, const RankSummary& summary);

} // namespace highwater
