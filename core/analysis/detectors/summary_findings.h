#pragma once

#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/trace/summary/summary_document.h"

namespace highwater {

/// Returns the findings that a summary reports about its recording and that detectors could not derive from
/// the summary. Their evidence links only to the event.
std::vector<Finding> findingsOfSummary(const SummaryNotes& notes, const Device& device);

} // namespace highwater
