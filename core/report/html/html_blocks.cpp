#include "core/report/html/html_blocks.h"
#include "core/base/text/sentence_text.h"

#include <fmt/format.h>

#include "core/analysis/detectors/rule_table.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/report/html/html_rich_text.h"
#include "core/report/html/html_table.h"
#include "core/report/html/html_timeline.h"
#include "core/report/model/finding_text.h"

namespace highwater {

namespace {

constexpr const char* kMeaningTitle = "What this finding means, and how it can be wrong";

std::string toneClass(Tone tone)
{
    switch (tone) {
    case Tone::Plain: return {};
    case Tone::Quiet: return "quiet";
    case Tone::Strong: return "strong";
    case Tone::Warning: return "warning";
    }
    return {};
}

std::string gradeClass(Grade grade)
{
    return fmt::format("grade grade-{}", grade == Grade::A ? 'a' : grade == Grade::B ? 'b' : 'c');
}

void writeParagraph(HtmlWriter& out, const ReportParagraph& paragraph)
{
    out.element("p", paragraph.text,
        {{"class", toneClass(paragraph.tone)}, {"role", paragraph.tone == Tone::Warning ? "note" : ""}});
}

void writeList(HtmlWriter& out, const std::vector<std::string>& items, std::string_view name)
{
    if (items.empty())
        return;
    out.open("ul", {{"class", std::string(name)}});
    for (const std::string& item : items)
        out.element("li", item);
    out.close("ul");
}

void writeDrawing(HtmlWriter& out, const Figure& figure, std::string_view name)
{
    out.open("div", {{"class", std::string(name)}});
    out.trusted(toInlineSvg(figure));
    out.close("div");
}

void writeFigure(HtmlWriter& out, const ReportFigure& figure)
{
    out.open("figure",
        {{"class", figure.live.empty() ? "drawing" : "drawing timeline"},
            {"id", out.uniqueId("figure-" + figure.id)}});
    if (!figure.live.empty())
        writeTimelineData(out, figure.live);
    writeDrawing(out, figure.wide, "wide");
    writeDrawing(out, figure.narrow, "narrow");
    if (!figure.caption.empty())
        out.element("figcaption", figure.caption);
    out.close("figure");
}

void writeQuote(HtmlWriter& out, const ReportQuote& quote)
{
    out.open("figure", {{"class", "quote"}});
    if (!quote.source.empty())
        out.element("figcaption", quote.source);
    out.open("pre", {{"tabindex", "0"}});
    out.trusted("\n"); // HTML ignores the first line break in a `pre`
    out.text(quote.text);
    out.close("pre");
    out.close("figure");
}

void writeRemedy(HtmlWriter& out, const Finding& finding)
{
    const Remedy& remedy = finding.remedy;
    if (remedy.action.empty())
        return;
    out.open("p", {{"class", "remedy"}});
    out.element("b", "Next: ");
    out.text(fullSentence(remedy.action));
    if (const std::string saving = savingText(finding); !saving.empty()) {
        out.text(" ");
        out.element("span", fullSentence(saving),
            {{"class", "saving"}, {"title", formatExactBytes(remedy.savedBytes)}});
    }
    out.close("p");
}

/// Writes the manual's page about the rule, collapsed, since the report's readers may have neither the manual
/// nor the program. Each page is written once per document; later findings of the rule link to it.
void writeMeaning(HtmlWriter& out, const std::string& rule)
{
    RichText page = parseRichText(rulePage(rule));
    if (page.empty())
        return;
    page.erase(page.begin()); // its heading is the name of the rule
    for (RichBlock& block : page)
        block.level -= block.kind == RichBlockKind::Heading ? 1 : 0;
    const std::string id = "meaning-" + rule;
    if (out.uniqueId(id) != id) {
        out.open("p", {{"class", "meaning"}});
        out.element("a", kMeaningTitle, {{"href", "#" + id}});
        out.close("p");
        return;
    }
    out.open("details", {{"class", "meaning"}});
    out.element("summary", kMeaningTitle);
    out.open("div", {{"id", id}});
    writeRichText(out, page, 3);
    out.close("div");
    out.close("details");
}

void writeFinding(HtmlWriter& out, const ReportFinding& reported)
{
    const Finding& finding = reported.finding;
    out.open("article",
        {{"class", "finding " + std::string(toText(finding.kind))},
            {"id", out.uniqueId("finding-" + finding.rule)}});
    out.open("h3");
    out.element("span", inWords(finding.grade),
        {{"class", gradeClass(finding.grade)}, {"title", std::string(gradeMeaning(finding.grade))}});
    out.text(" " + finding.title);
    out.close("h3");
    out.open("p", {{"class", "meta"}});
    const std::vector<std::string> facts = findingFacts(reported);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        out.text(i > 0 ? " · " : "");
        out.element("span", facts[i], {{"class", i == 0 ? "kind" : ""}});
    }
    out.close("p");
    std::vector<std::string> evidence;
    for (const Evidence& piece : finding.evidence)
        evidence.push_back(piece.sentence);
    writeRemedy(out, finding);
    writeList(out, evidence, "evidence");
    if (!finding.wouldDisprove.empty())
        out.element("p", fullSentence(finding.wouldDisprove), {{"class", "quiet"}});
    writeMeaning(out, finding.rule);
    out.close("article");
}

void writeNote(HtmlWriter& out, const ReportNote& note)
{
    const std::string color(toText(note.note.color));
    out.open("article",
        {{"class", "note note-" + color}, {"id", out.uniqueId("note-" + std::to_string(note.number))}});
    out.open("h3");
    out.element("span", std::to_string(note.number), {{"class", "flag"}});
    out.text(" " + noteTitle(note));
    out.close("h3");
    if (!note.where.empty())
        out.element("p", note.where, {{"class", "meta"}});
    writeRichText(out, parseRichText(note.note.text), 3);
    out.close("article");
}

struct BlockWriter
{
    HtmlWriter& out;

    void operator()(const ReportParagraph& paragraph) const { writeParagraph(out, paragraph); }
    void operator()(const ReportList& list) const { writeList(out, list.items, ""); }
    void operator()(const ReportFacts& facts) const { writeFacts(out, facts); }
    void operator()(const Table& table) const { writeTable(out, table); }
    void operator()(const ReportFigure& figure) const { writeFigure(out, figure); }
    void operator()(const ReportQuote& quote) const { writeQuote(out, quote); }
    void operator()(const ReportFinding& finding) const { writeFinding(out, finding); }
    void operator()(const ReportNote& note) const { writeNote(out, note); }
};

} // namespace

void writeBlock(HtmlWriter& out, const ReportBlock& block)
{
    std::visit(BlockWriter{out}, block);
}

void writeGradeLegend(HtmlWriter& out)
{
    out.open("p", {{"class", "quiet grades"}});
    for (const Grade grade : {Grade::A, Grade::B, Grade::C}) {
        out.element("span", inWords(grade), {{"class", gradeClass(grade)}});
        out.text(": " + std::string(gradeMeaning(grade)) + (grade == Grade::C ? "." : ", "));
    }
    out.close("p");
}

std::string noteColorRules()
{
    std::string css;
    for (std::size_t i = 0; i < kNoteColorCount; ++i) {
        const auto color = static_cast<NoteColor>(i);
        css += fmt::format(".note-{}{{--flag:#{:06x}}}\n", toText(color), noteColor(color));
    }
    return css;
}

} // namespace highwater
