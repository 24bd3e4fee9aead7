#pragma once

#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/trace/summary/summary_document.h"

namespace highwater {

/// The findings that a summary tells of its recording, which detectors could not make of the summary. Their
/// evidence links to nothing but the event.
std::vector<Finding> findingsOfSummary(const SummaryNotes& notes, const Device& device);

} // namespace highwater
