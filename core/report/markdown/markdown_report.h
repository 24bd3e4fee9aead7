#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/report/model/report.h"

namespace highwater {

/// A text and the pictures that it names.
struct MarkdownReport
{
    std::string text;
    std::vector<std::pair<std::string, std::string>> figures; ///< name in the folder of figures, SVG
};

/// The report as GitHub's Markdown, for an issue or a pull request: long tables and quotes are folded away,
/// figures are SVG files of the wide form, named in the text as files of `figureFolder` ("" beside the text).
/// Whatever the report's texts hold is shown as text and makes neither tags nor links nor mentions; notes
/// keep what they are allowed (rich_text.h). O(report).
MarkdownReport toMarkdown(const Report& report, const std::string& figureFolder);

} // namespace highwater
