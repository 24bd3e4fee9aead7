#pragma once

#include "core/base/result.h"
#include "core/report/model/report_request.h"

namespace highwater {

/// Computes everything that the requested parts need (findings, budget, comparison, figures) and writes it as
/// a report. Parts without content are omitted. The figures equal those of the commands' `--json`. Fails with
/// BadRequest if two runs cannot be compared: they count different bytes, or only one of them is a log. A
/// pure function; the analyses cost O(events) per run.
Result<Report> buildReport(const ReportRequest& request);

} // namespace highwater
