#pragma once

#include "core/base/result.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// Computes everything that the requested parts need (findings, budget, comparison, figures) and writes them
/// as a report. Parts without content are left out. The figures equal those of the commands' `--json`. Fails
/// with BadRequest if two runs cannot be compared: they count different bytes, or only one of them is a log.
/// Pure; costs of the analyses: O(events) for each run.
Result<Report> buildReport(const ReportRequest& request);

} // namespace highwater
