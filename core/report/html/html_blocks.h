#pragma once

#include "core/report/html/html_writer.h"
#include "core/report/model/report.h"

namespace highwater {

/// Writes one block of a section, with headings below level 2.
void writeBlock(HtmlWriter& out, const ReportBlock& block);

/// Writes the meaning of the findings' grades.
void writeGradeLegend(HtmlWriter& out);

/// Returns the CSS rules for the colours of notes.
std::string noteColorRules();

} // namespace highwater
