#pragma once

#include "core/base/result.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// Works out everything that the asked parts need (findings, budget, comparison, figures) and puts it in
/// words. Parts with nothing to say are left out. The figures are those that the commands' `--json` tell.
/// Fails with BadRequest where two runs cannot be compared: one counts other bytes, or is a log and the other
/// is not. Pure; costs of the analyses: O(events) for each run.
Result<Report> buildReport(const ReportRequest& request);

} // namespace highwater
