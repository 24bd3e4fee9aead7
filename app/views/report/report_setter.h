#pragma once

#include <string>

#include "app/views/report/block_setter.h"
#include "app/views/report/figure_object.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// Sets a report's parts into a document, one after the other.
class ReportSetter
{
public:
    /// Both must outlive it.
    ReportSetter(BlockSetter& setter, FigureObject& figures);

    /// Title, files, verdict.
    void head(const Report& report);
    /// Returns its position, in characters.
    int heading(const std::string& title);

    void operator()(const ReportParagraph& paragraph);
    void operator()(const ReportList& list);
    void operator()(const ReportFacts& facts);
    void operator()(const Table& table);
    void operator()(const ReportFigure& figure);
    void operator()(const ReportQuote& quote);
    void operator()(const ReportFinding& finding);
    void operator()(const ReportNote& note);

    /// The tables that were set, and what they show.
    std::vector<std::pair<const QTextTable*, const Table*>> takeTables() { return std::move(m_tables); }

private:
    void caption(const std::string& words);
    void rows(QTextTable& set, const Table& table);
    void line(QTextTable& table, int row, bool above);
    void evidence(const Finding& finding);

    BlockSetter& m_setter;
    FigureObject& m_figures;
    const ThemeColors& m_colors;
    std::vector<std::pair<const QTextTable*, const Table*>> m_tables;
};

} // namespace highwater::gui
