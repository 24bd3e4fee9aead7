#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/report/model/report.h"

namespace highwater {

/// The text formats of a report.
enum class ReportFormat : std::uint8_t
{
    Html,
    Markdown,
    JsonDocument
};

/// Returns the format for a file name by its extension, in upper or lower case: .html, .htm, .md, .json;
/// nullopt for others.
std::optional<ReportFormat> reportFormatFromPath(std::string_view path);

struct ReportFiles
{
    std::string text;
    std::string folder; ///< Folder for its figures, next to the text: "run-figures"; empty if it has none
    std::vector<std::pair<std::string, std::string>> figures; ///< Name and content of each
};

/// Writes the report as files. `stem` is the name of the text without folders and extension, "run".
ReportFiles reportFiles(const Report& report, ReportFormat format, const std::string& stem);

} // namespace highwater
