#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/report/model/report.h"

namespace highwater {

/// The form of a report that is text.
enum class ReportFormat : std::uint8_t
{
    Html,
    Markdown,
    JsonDocument
};

/// By the ending of the file's name, in any case: .html, .htm, .md, .json; none: another one.
std::optional<ReportFormat> reportFormatOf(std::string_view path);

/// A report as files.
struct ReportFiles
{
    std::string text;
    std::string folder; ///< beside the text, for its figures: "run-figures"; empty: it has none
    std::vector<std::pair<std::string, std::string>> figures; ///< name and content of each
};

/// `stem`: the name of the text without folders and ending, "run".
ReportFiles reportFiles(const Report& report, ReportFormat format, const std::string& stem);

} // namespace highwater
