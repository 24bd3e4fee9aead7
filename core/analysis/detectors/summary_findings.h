#pragma once

#include <vector>

#include "core/analysis/detectors/finding.h"
#include "core/trace/summary/summary_document.h"

namespace highwater {

/// Returns the findings that a summary stores about its recording, ordered as by `findFindings`. Detectors
/// could not derive them from the summary. Their evidence links nowhere; only `Finding::event` and
/// `Finding::step` are set.
std::vector<Finding> findingsOfSummary(const SummaryNotes& notes, const Device& device);

} // namespace highwater
