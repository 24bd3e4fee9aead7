#include "core/report/markdown/markdown_report.h"
#include "core/base/text/sentence_text.h"

#include <set>

#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/report/markdown/markdown_rich_text.h"
#include "core/report/markdown/markdown_text.h"
#include "core/report/model/finding_text.h"
#include "core/report/model/plain_text.h"

namespace highwater {

namespace {

/// Tables and quotes with more rows or lines than this are collapsed.
constexpr std::size_t kMaxOpenRows = 12;
/// Cells with more lines than this are collapsed.
constexpr std::size_t kMaxOpenLines = 3;

/// Encodes the name of a folder or file as part of a link.
std::string encodedPath(std::string_view path)
{
    std::string out;
    for (const char c : path) {
        const bool isPlain
            = isDigit(c) || isLetter(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
        out += isPlain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

/// Returns escaped Markdown in a small font.
std::string quietMarkdown(const std::string& text)
{
    return text.empty() ? text : "<sub>" + text + "</sub>";
}

/// Escapes texts and joins them with middle dots.
std::string joined(const std::vector<std::string>& parts)
{
    std::string all;
    for (const std::string& part : parts)
        all += (all.empty() ? "" : " · ") + markdownText(part);
    return all;
}

/// Returns the text; if it has many lines (a stack), the first line with the others collapsed.
std::string cellMarkdown(const Cell& cell)
{
    const std::string text = cellText(cell);
    const std::size_t firstEnd = text.find('\n');
    if (linesOf(text).size() <= kMaxOpenLines)
        return markdownText(text, MarkdownPlace::Cell);
    return "<details><summary>" + markdownText(text.substr(0, firstEnd), MarkdownPlace::Cell) + "</summary>"
        + markdownText(text.substr(firstEnd), MarkdownPlace::Cell) + "</details>";
}

std::string rowMarkdown(const TableRow& row, bool isStrong = false)
{
    std::string line = "|";
    for (const Cell& cell : row) {
        const std::string text = cellMarkdown(cell);
        line += isStrong && !text.empty() ? " <b>" + text + "</b> |" : " " + text + " |";
    }
    return line + "\n";
}

std::string tableMarkdown(const Table& table)
{
    std::string head = "|", rule = "|";
    for (const TableColumn& column : table.columns) {
        head += " " + markdownText(column.title, MarkdownPlace::Cell) + " |";
        rule += column.isNumber ? " ---: |" : " :--- |";
    }
    std::string text = head + "\n" + rule + "\n";
    for (const TableRow& row : table.rows)
        text += rowMarkdown(row);
    return showsTotal(table) ? text + rowMarkdown(table.total, true) : text;
}

/// Returns content that is hidden until the reader opens its summary.
std::string collapsed(const std::string& summary, const std::string& content)
{
    return "<details>\n<summary>" + summary + "</summary>\n\n" + content + "\n</details>\n";
}

class MarkdownWriter
{
public:
    explicit MarkdownWriter(std::string folder)
        : m_folder(std::move(folder))
    {
    }

    void header(const Report& report);
    void section(const ReportSection& section);
    void footer(const Report& report) { paragraph(quietMarkdown(markdownText(report.written))); }

    void operator()(const ReportParagraph& paragraph);
    void operator()(const ReportList& list) { items(list.items); }
    void operator()(const ReportFacts& facts);
    void operator()(const Table& table);
    void operator()(const ReportFigure& figure);
    void operator()(const ReportQuote& quote);
    void operator()(const ReportFinding& finding);
    void operator()(const ReportNote& note);

    MarkdownReport take() { return std::move(m_report); }

private:
    /// Writes a paragraph of escaped Markdown; nothing if it is empty.
    void paragraph(const std::string& markdown);
    void items(const std::vector<std::string>& items);
    std::string uniqueName(const std::string& id);

    std::string m_folder;
    MarkdownReport m_report;
    std::set<std::string> m_names;
};

void MarkdownWriter::paragraph(const std::string& markdown)
{
    if (markdown.empty())
        return;
    m_report.text += m_report.text.empty() ? "" : "\n";
    m_report.text += markdown;
    if (!markdown.ends_with('\n'))
        m_report.text += '\n';
}

void MarkdownWriter::items(const std::vector<std::string>& list)
{
    std::string text;
    for (const std::string& item : list)
        text += "- " + markdownText(item) + "\n";
    paragraph(text);
}

std::string MarkdownWriter::uniqueName(const std::string& id)
{
    const std::string base = anchorText(id);
    std::string name = base + ".svg";
    for (int n = 2; !m_names.insert(name).second; ++n)
        name = fmt::format("{}-{}.svg", base, n);
    return name;
}

void MarkdownWriter::header(const Report& report)
{
    paragraph("# " + markdownText(report.title.empty() ? "Memory report" : report.title));
    if (!report.verdict.empty())
        paragraph("> " + markdownText(report.verdict));
    paragraph(quietMarkdown(markdownText(report.subtitle)));
}

void MarkdownWriter::section(const ReportSection& section)
{
    paragraph("## " + markdownText(section.title));
    for (const ReportBlock& block : section.blocks)
        std::visit(*this, block);
}

void MarkdownWriter::operator()(const ReportParagraph& block)
{
    const std::string text = markdownText(block.text);
    if (text.empty())
        return;
    switch (block.tone) {
    case Tone::Plain: paragraph(text); break;
    case Tone::Quiet: paragraph(quietMarkdown(text)); break;
    case Tone::Strong: paragraph("<b>" + text + "</b>"); break;
    case Tone::Warning: paragraph("> [!WARNING]\n> " + text); break;
    }
}

void MarkdownWriter::operator()(const ReportFacts& facts)
{
    paragraph(markdownText(facts.caption));
    std::string text = "| | |\n| :--- | :--- |\n";
    for (const auto& [name, value] : facts.rows)
        text += rowMarkdown(
            {name, facts.style == FactStyle::Fields && value.isEmpty() ? Cell(std::string()) : value});
    paragraph(text);
}

void MarkdownWriter::operator()(const Table& table)
{
    paragraph(markdownText(table.caption));
    const std::string rows = tableMarkdown(table);
    const auto count = formatCount(table.rows.size());
    paragraph(table.rows.size() > kMaxOpenRows ? collapsed(count + " rows", rows) : rows);
    paragraph(quietMarkdown(markdownText(table.leftOut)));
}

void MarkdownWriter::operator()(const ReportFigure& figure)
{
    const std::string name = uniqueName(figure.id);
    const std::string folder = m_folder.empty() ? "" : encodedPath(m_folder) + "/";
    paragraph("![" + markdownText(figure.caption.empty() ? figure.wide.title : figure.caption) + "](" + folder
        + name + ")");
    paragraph(quietMarkdown(markdownText(figure.caption)));
    m_report.figures.emplace_back(name, toSvg(figure.wide));
}

void MarkdownWriter::operator()(const ReportQuote& quote)
{
    paragraph(markdownText(quote.source));
    const std::string fence = markdownFence(quote.text);
    const std::size_t lines = linesOf(quote.text).size();
    const auto count = formatCount(lines);
    paragraph(lines > kMaxOpenRows ? collapsed(count + " lines", fence) : fence);
}

void MarkdownWriter::operator()(const ReportFinding& reported)
{
    const Finding& finding = reported.finding;
    paragraph(fmt::format("### {} ({})", markdownText(finding.title), inWords(finding.grade)));
    paragraph(quietMarkdown(joined(findingFacts(reported))));
    if (const std::string next = actionSentence(finding); !next.empty())
        paragraph("**Next:** " + markdownText(next));
    std::vector<std::string> evidence;
    for (const Evidence& piece : finding.evidence)
        evidence.push_back(piece.sentence);
    items(evidence);
    if (!finding.wouldDisprove.empty())
        paragraph(quietMarkdown(markdownText(fullSentence(finding.wouldDisprove))));
}

void MarkdownWriter::operator()(const ReportNote& note)
{
    paragraph(fmt::format("### {} · {}", note.number, markdownText(noteTitle(note))));
    paragraph(quietMarkdown(markdownText(note.where)));
    paragraph(toMarkdown(parseRichText(note.note.text), 3));
}

} // namespace

MarkdownReport toMarkdown(const Report& report, const std::string& figureFolder)
{
    MarkdownWriter writer(figureFolder);
    writer.header(report);
    for (const ReportSection& section : report.sections)
        writer.section(section);
    writer.footer(report);
    return writer.take();
}

} // namespace highwater
