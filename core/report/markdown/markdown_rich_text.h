#pragma once

#include <string>

#include "core/report/model/rich_text.h"

namespace highwater {

/// Returns the text as Markdown that parses back to the same tree, except that its headings are below
/// `headingLevel`, and contains nothing else that GitHub would interpret. Ends with a line break unless it is
/// empty.
std::string toMarkdown(const RichText& text, int headingLevel);

} // namespace highwater
