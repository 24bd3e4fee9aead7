#pragma once

#include <string>

#include "core/report/model/rich_text.h"

namespace highwater {

/// The text as Markdown that reads back as the same and holds nothing else that GitHub would act on. Its
/// headings lie below `headingLevel`. Ends with a line break unless it is empty.
std::string toMarkdown(const RichText& text, int headingLevel);

} // namespace highwater
