#pragma once

#include "core/report/html/html_writer.h"
#include "core/report/model/rich_text.h"

namespace highwater {

/// Writes the text as HTML elements; its headings are below `headingLevel`, in order and without gaps.
void writeRichText(HtmlWriter& out, const RichText& text, int headingLevel);

} // namespace highwater
