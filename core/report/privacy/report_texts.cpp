#include "core/report/privacy/report_texts.h"

namespace highwater {

namespace {

struct ShapeTexts
{
    const std::function<void(std::string&)>& visit;

    void operator()(FigureRect& rect) const { visit(rect.title); }
    void operator()(FigurePolygon& polygon) const { visit(polygon.title); }
    void operator()(FigureLine&) const { }
    void operator()(FigureText& text) const
    {
        visit(text.text);
        visit(text.whole);
    }
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
    void operator()(Table& table) const;
    void operator()(ReportFigure& figure) const;
    void operator()(ReportQuote& quote) const
    {
        visit(quote.text);
        visit(quote.source);
    }
    void operator()(ReportFinding& finding) const;
    void operator()(ReportNote& note) const;

    void cell(Cell& cell) const;
    void figure(Figure& drawing) const;
    void live(LiveTimeline& run) const;
};

void BlockTexts::cell(Cell& cell) const
{
    if (std::string* text = std::get_if<std::string>(&cell.value))
        visit(*text);
    visit(cell.shown);
    visit(cell.tip);
}

void BlockTexts::operator()(ReportFacts& facts) const
{
    visit(facts.caption);
    for (auto& [name, value] : facts.rows) {
        visit(name);
        cell(value);
    }
}

void BlockTexts::operator()(Table& table) const
{
    visit(table.id);
    visit(table.caption);
    for (TableColumn& column : table.columns) {
        visit(column.title);
        visit(column.key);
        visit(column.tip);
    }
    for (TableRow& row : table.rows)
        for (Cell& item : row)
            cell(item);
    for (Cell& item : table.total)
        cell(item);
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
    for (LiveTimeline& run : reported.live)
        live(run);
}

void BlockTexts::live(LiveTimeline& run) const
{
    visit(run.name);
    for (LiveGroup& group : run.groups) {
        visit(group.label);
        visit(group.key);
        for (std::string& frame : group.stack)
            visit(frame);
    }
    for (LiveStep& step : run.steps)
        visit(step.name);
    for (NoteFlag& flag : run.flags)
        visit(flag.title);
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

void visitTexts(RunMain& main, const std::function<void(std::string&)>& visit)
{
    visit(main.member.path);
    for (OtherRun& other : main.others) {
        for (std::string& path : other.paths)
            visit(path);
        visit(other.why.reason);
    }
}

void visitTexts(Diagnosis& diagnosis, const std::function<void(std::string&)>& visit)
{
    for (std::string* text : {&diagnosis.sentence, &diagnosis.detail, &diagnosis.next})
        visit(*text);
    if (diagnosis.place) {
        visit(diagnosis.place->file);
        visit(diagnosis.place->function);
    }
}

} // namespace

void forEachText(Report& report, const std::function<void(std::string&)>& visit)
{
    for (std::string* text : {&report.title, &report.subtitle, &report.verdict, &report.written})
        visit(*text);
    visitTexts(report.diagnosis, visit);
    if (report.diagnosisBefore)
        visitTexts(*report.diagnosisBefore, visit);
    visitTexts(report.run, visit);
    if (report.before)
        visitTexts(*report.before, visit);
    for (ReportSection& section : report.sections) {
        visit(section.title);
        for (ReportBlock& block : section.blocks)
            std::visit(BlockTexts{visit}, block);
    }
}

} // namespace highwater
