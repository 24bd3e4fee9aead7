#pragma once

#include "core/report/html/html_writer.h"
#include "core/report/model/report.h"

namespace highwater {

/// The table in a box of its own that scrolls sideways, its caption above and what is left out below. Cells
/// with amounts carry the raw value for sorting and the exact one for the pointer.
void writeTable(HtmlWriter& out, const ReportTable& table);

/// Names with their values, two columns.
void writeFacts(HtmlWriter& out, const ReportFacts& facts);

} // namespace highwater
