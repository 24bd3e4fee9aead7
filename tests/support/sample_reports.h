#pragma once

#include "core/report/model/report.h"

namespace highwater {

/// Returns an invented report with every kind of block, as a writer usually receives it.
Report usualReport();

/// Returns a report in which every text is this one, even in figures, findings and notes.
Report reportOf(const std::string& text);

/// Returns a report that contains only this block.
Report reportWith(ReportBlock block);

} // namespace highwater
