#include "core/report/html/html_report.h"

#include <algorithm>

#include "core/base/embedded_resource.h"
#include "core/figure/drawing/svg_theme.h"
#include "core/report/html/html_blocks.h"

namespace highwater {

namespace {

/// The browser loads nothing external, whatever the document contains.
constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                                "img-src data:; base-uri 'none'; form-action 'none'";

/// Returns the rules for both themes. The dark theme applies if the system or the switch asks for it, never
/// on paper.
std::string themeRules()
{
    const std::string dark = figureColorVariables(true);
    return ":root{" + figureColorVariables(false) + "}\n@media screen and (prefers-color-scheme: dark){"
        + ":root:not([data-theme=light]){" + dark + "}}\n@media screen{:root[data-theme=dark]{" + dark
        + "}}\n" + figureColorRules() + noteColorRules();
}

void writeDocumentHead(HtmlWriter& out, const Report& report)
{
    out.open("head");
    out.single("meta", {{"charset", "utf-8"}});
    out.single("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
    out.single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    out.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    out.single("meta", {{"name", "generator"}, {"content", "Highwater"}});
    out.element("title", report.title.empty() ? "Memory report" : report.title);
    out.open("style");
    out.trusted(embeddedResource("report/report.css").value_or(""));
    out.trusted(themeRules());
    out.close("style");
    out.close("head");
}

void writeHeader(HtmlWriter& out, const Report& report)
{
    out.open("header");
    out.element("p", "GPU memory report", {{"class", "kicker"}});
    out.element("h1", report.title.empty() ? "Memory report" : report.title);
    if (!report.subtitle.empty())
        out.element("p", report.subtitle, {{"class", "subtitle"}});
    if (!report.verdict.empty())
        out.element("p", report.verdict, {{"class", "verdict"}});
    out.close("header");
}

void writeContents(HtmlWriter& out, const Report& report, const std::vector<std::string>& ids)
{
    if (report.sections.size() < 2)
        return;
    out.open("nav", {{"aria-label", "Contents"}});
    out.open("ol");
    for (std::size_t i = 0; i < ids.size(); ++i) {
        out.open("li");
        out.element("a", report.sections[i].title, {{"href", "#" + ids[i]}});
        out.close("li");
    }
    out.close("ol");
    out.close("nav");
}

bool hasFinding(const ReportSection& section)
{
    return std::any_of(section.blocks.begin(), section.blocks.end(),
        [](const ReportBlock& block) { return std::holds_alternative<ReportFinding>(block); });
}

bool isLive(const Report& report)
{
    return std::ranges::any_of(report.sections, [](const ReportSection& section) {
        return std::ranges::any_of(section.blocks, [](const ReportBlock& block) {
            const auto* figure = std::get_if<ReportFigure>(&block);
            return figure && !figure->live.empty();
        });
    });
}

void writeSections(HtmlWriter& out, const Report& report, const std::vector<std::string>& ids)
{
    bool gradesExplained = false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const ReportSection& section = report.sections[i];
        const std::string heading = out.uniqueId(ids[i] + "-heading");
        out.open("section", {{"id", ids[i]}, {"aria-labelledby", heading}});
        out.element("h2", section.title, {{"id", heading}});
        if (!gradesExplained && hasFinding(section)) {
            writeGradeLegend(out);
            gradesExplained = true;
        }
        for (const ReportBlock& block : section.blocks)
            writeBlock(out, block);
        out.close("section");
    }
}

} // namespace

std::string toHtml(const Report& report)
{
    HtmlWriter out;
    std::vector<std::string> ids;
    for (const ReportSection& section : report.sections)
        ids.push_back(out.uniqueId(toText(section.part)));
    out.trusted("<!DOCTYPE html>\n");
    out.open("html", {{"lang", "en"}});
    writeDocumentHead(out, report);
    out.open("body");
    writeHeader(out, report);
    writeContents(out, report, ids);
    out.open("main");
    writeSections(out, report, ids);
    out.close("main");
    if (!report.written.empty())
        out.element("footer", report.written);
    out.open("script");
    out.trusted(embeddedResource("report/report.js").value_or(""));
    if (isLive(report))
        out.trusted(embeddedResource("report/timeline.js").value_or(""));
    out.close("script");
    out.close("body");
    out.close("html");
    return out.take();
}

} // namespace highwater
