#pragma once

#include <string>

#include "core/report/model/rich_text.h"

namespace highwater {

/// Returns the text as Markdown that parses back to the same tree and contains nothing else that GitHub would
/// interpret. Its headings are below `headingLevel`. Ends with a line break unless it is empty.
std::string toMarkdown(const RichText& text, int headingLevel);

} // namespace highwater
