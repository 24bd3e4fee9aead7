#include "app/cli/output/report_output.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/cli/console/output_file.h"
#include "core/report/html/html_report.h"
#include "core/report/json/json_report.h"
#include "core/report/markdown/markdown_report.h"

namespace highwater::cli {

namespace {

Result<void> writeText(const ReportTarget& target, const std::string& text)
{
    Result<OutputFile> file = OutputFile::create(target.out, target.force, target.inputs);
    if (!file)
        return tl::unexpected(file.error());
    file->write(text);
    return file->commit();
}

/// "run-figures" for "folder/run.md": next to the text, so that both can be moved together.
std::string figureFolderOf(const std::string& out)
{
    return std::filesystem::path(out).stem().string() + "-figures";
}

/// The text is written last, so that it never exists without its figures, but existing files are checked
/// before the figures are written.
Result<void> writeMarkdown(const Report& report, const ReportTarget& target)
{
    const std::string folder = figureFolderOf(target.out);
    Result<OutputFile> text = OutputFile::create(target.out, target.force, target.inputs);
    if (!text)
        return tl::unexpected(text.error());
    const MarkdownReport markdown = toMarkdown(report, folder);
    const std::filesystem::path place = std::filesystem::path(target.out).parent_path() / folder;
    std::error_code error;
    if (!markdown.figures.empty() && !std::filesystem::create_directories(place, error) && error)
        return fail(ErrorCode::CannotRead, fmt::format("{} cannot be made: {}", folder, error.message()));
    for (const auto& [name, svg] : markdown.figures)
        if (Result<void> written = writeText({(place / name).string(), target.force, target.inputs}, svg);
            !written)
            return fail(written.error().code, fmt::format("{}/{} {}", folder, name, written.error().message));
    text->write(markdown.text);
    return text->commit();
}

} // namespace

Result<ReportFormat> reportFormat(const std::string& out, bool json)
{
    if (out == "-" && json)
        return ReportFormat::Json;
    if (out.ends_with(".html") || out.ends_with(".htm"))
        return ReportFormat::Html;
    if (out.ends_with(".md"))
        return ReportFormat::Markdown;
    if (out.ends_with(".json"))
        return ReportFormat::Json;
    return fail(ErrorCode::BadRequest,
        out == "-" ? "-o - takes --json" : "-o takes a name that ends in .html, .md or .json");
}

Result<void> writeReport(const Report& report, ReportFormat format, const ReportTarget& target)
{
    switch (format) {
    case ReportFormat::Html: return writeText(target, toHtml(report));
    case ReportFormat::Json: return writeText(target, toJson(report) + "\n");
    case ReportFormat::Markdown: break;
    }
    return writeMarkdown(report, target);
}

} // namespace highwater::cli
