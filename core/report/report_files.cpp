#include "core/report/report_files.h"

#include <algorithm>
#include <array>

#include "core/report/html/html_report.h"
#include "core/report/json/json_report.h"
#include "core/report/markdown/markdown_report.h"

namespace highwater {

namespace {

constexpr std::array<std::pair<std::string_view, ReportFormat>, 4> kEndings{{{".html", ReportFormat::Html},
    {".htm", ReportFormat::Html}, {".md", ReportFormat::Markdown}, {".json", ReportFormat::JsonDocument}}};

/// Ignores the case of the path.
bool endsWith(std::string_view path, std::string_view ending)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return path.size() >= ending.size()
        && std::ranges::equal(path.substr(path.size() - ending.size()), ending, {}, lower);
}

ReportFiles markdownFiles(const Report& report, const std::string& stem)
{
    const std::string folder = stem + "-figures";
    MarkdownReport markdown = toMarkdown(report, folder);
    return {std::move(markdown.text), markdown.figures.empty() ? std::string() : folder,
        std::move(markdown.figures)};
}

} // namespace

std::optional<ReportFormat> reportFormatFromPath(std::string_view path)
{
    for (const auto& [ending, format] : kEndings)
        if (endsWith(path, ending))
            return format;
    return std::nullopt;
}

ReportFiles reportFiles(const Report& report, ReportFormat format, const std::string& stem)
{
    switch (format) {
    case ReportFormat::Html: return {toHtml(report), {}, {}};
    case ReportFormat::JsonDocument: return {toJson(report), {}, {}};
    case ReportFormat::Markdown: break;
    }
    return markdownFiles(report, stem);
}

} // namespace highwater
