#pragma once

#include "core/report/model/report.h"

namespace highwater {

/// A made-up report with every kind of block, as a writer sees a usual one.
Report usualReport();

/// Every text of every block is this one, including those inside of figures, findings and notes.
Report reportOf(const std::string& text);

/// One row, one column, a report around it.
Report reportWith(ReportBlock block);

} // namespace highwater
