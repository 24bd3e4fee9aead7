#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/report/model/report.h"

namespace highwater {

/// A Markdown text and the pictures to which it refers.
struct MarkdownReport
{
    std::string text;
    std::vector<std::pair<std::string, std::string>> figures; ///< Name in the folder of figures, and SVG
};

/// Returns the report in GitHub's Markdown, for an issue or a pull request: long tables and quotes are
/// collapsed; figures are SVG files in the wide form, referenced as files in `figureFolder` (empty for the
/// folder of the text). The report's texts are shown as plain text and never become tags, links or mentions;
/// notes keep the formatting they are allowed (rich_text.h). O(report).
MarkdownReport toMarkdown(const Report& report, const std::string& figureFolder);

} // namespace highwater
