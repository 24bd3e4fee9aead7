#pragma once

#include "core/report/html/html_writer.h"
#include "core/report/model/report.h"

namespace highwater {

/// One block of a section, under headings of level 2.
void writeBlock(HtmlWriter& out, const ReportBlock& block);

/// What the grades of the findings mean.
void writeGrades(HtmlWriter& out);

/// The CSS rules of the colours that notes have.
std::string noteColorRules();

} // namespace highwater
