#include "core/report/privacy/report_texts.h"

namespace highwater {

namespace {

struct ShapeTexts
{
    const std::function<void(std::string&)>& visit;

    void operator()(FigureRect& rect) const { visit(rect.title); }
    void operator()(FigurePolygon& polygon) const { visit(polygon.title); }
    void operator()(FigureLine&) const { }
    void operator()(FigureText& text) const { visit(text.text); }
};

struct BlockTexts
{
    const std::function<void(std::string&)>& visit;

    void operator()(ReportParagraph& paragraph) const { visit(paragraph.text); }
    void operator()(ReportList& list) const
    {
        for (std::string& item : list.items)
            visit(item);
    }
    void operator()(ReportFacts& facts) const;
    void operator()(ReportTable& table) const;
    void operator()(ReportFigure& figure) const;
    void operator()(ReportQuote& quote) const
    {
        visit(quote.text);
        visit(quote.source);
    }
    void operator()(ReportFinding& finding) const;
    void operator()(ReportNote& note) const;

    void cells(std::vector<ReportCell>& row) const;
    void figure(Figure& drawing) const;
};

void BlockTexts::cells(std::vector<ReportCell>& row) const
{
    for (ReportCell& cell : row)
        if (std::string* text = std::get_if<std::string>(&cell))
            visit(*text);
}

void BlockTexts::operator()(ReportFacts& facts) const
{
    visit(facts.caption);
    for (auto& [name, value] : facts.rows) {
        visit(name);
        if (std::string* text = std::get_if<std::string>(&value))
            visit(*text);
    }
}

void BlockTexts::operator()(ReportTable& table) const
{
    visit(table.id);
    visit(table.caption);
    for (ReportColumn& column : table.columns) {
        visit(column.title);
        visit(column.key);
    }
    for (std::vector<ReportCell>& row : table.rows)
        cells(row);
    cells(table.total);
    visit(table.leftOut);
}

void BlockTexts::figure(Figure& drawing) const
{
    visit(drawing.title);
    for (FigureShape& shape : drawing.shapes)
        std::visit(ShapeTexts{visit}, shape);
}

void BlockTexts::operator()(ReportFigure& reported) const
{
    visit(reported.id);
    visit(reported.caption);
    figure(reported.wide);
    figure(reported.narrow);
}

void BlockTexts::operator()(ReportFinding& reported) const
{
    Finding& finding = reported.finding;
    for (std::string* text :
        {&reported.run, &finding.rule, &finding.title, &finding.remedy.action, &finding.wouldDisprove})
        visit(*text);
    for (Evidence& piece : finding.evidence) {
        visit(piece.sentence);
        if (SiteTarget* site = std::get_if<SiteTarget>(&piece.target))
            visit(site->key);
    }
}

void BlockTexts::operator()(ReportNote& reported) const
{
    Note& note = reported.note;
    for (std::string* text : {&reported.where, &note.file, &note.device, &note.title, &note.text})
        visit(*text);
    if (NotedSite* site = std::get_if<NotedSite>(&note.place))
        visit(site->site);
    if (NotedRow* row = std::get_if<NotedRow>(&note.place)) {
        visit(row->group);
        visit(row->key);
    }
}

} // namespace

void forEachText(Report& report, const std::function<void(std::string&)>& visit)
{
    for (std::string* text : {&report.title, &report.subtitle, &report.verdict, &report.written})
        visit(*text);
    for (ReportSection& section : report.sections) {
        visit(section.title);
        for (ReportBlock& block : section.blocks)
            std::visit(BlockTexts{visit}, block);
    }
}

} // namespace highwater
