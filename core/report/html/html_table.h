#pragma once

#include "core/report/html/html_writer.h"
#include "core/report/model/report.h"

namespace highwater {

/// Writes the table in its own box that scrolls sideways, with the caption above and the note on omitted rows
/// below. Cells with amounts have the raw value for sorting.
void writeTable(HtmlWriter& out, const Table& table);

/// Writes names with their values, in two columns; `FactStyle::Figures` side by side.
void writeFacts(HtmlWriter& out, const ReportFacts& facts);

} // namespace highwater
