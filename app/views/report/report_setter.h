#pragma once

#include <string>

#include "app/views/report/block_setter.h"
#include "app/views/report/figure_object.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// A heading for the outline, with its place in the document.
struct SetHeading
{
    std::string title;
    int level = 1; ///< 1 for a section, 2 for a finding or a note in it
    int position = 0; ///< in characters
    bool isAppendix = false;
};

/// Writes the parts of a report into a document, one after another. It is a visitor of ReportBlock: there is
/// one `operator()` for each kind of block.
class ReportSetter
{
public:
    /// `setter` and `figures` must outlive this object.
    ReportSetter(BlockSetter& setter, FigureObject& figures);

    /// Writes the title, and the files, the date and the verdict unless they are empty.
    void head(const Report& report);
    /// Writes a section heading and returns its position, in characters.
    int heading(const std::string& title, bool isAppendix);

    void operator()(const ReportParagraph& paragraph);
    void operator()(const ReportList& list);
    void operator()(const ReportFacts& facts);
    void operator()(const Table& table);
    void operator()(const ReportFigure& figure);
    void operator()(const ReportQuote& quote);
    void operator()(const ReportFinding& finding);
    void operator()(const ReportNote& note);

    /// Moves out the written tables with their contents.
    std::vector<std::pair<const QTextTable*, const Table*>> takeTables() { return std::move(m_tables); }
    /// Moves out the written headings, in order.
    std::vector<SetHeading> takeHeadings() { return std::move(m_headings); }

private:
    void addHeading(const std::string& title);
    void writeCaption(const std::string& words);
    void writeKeyFigures(const ReportFacts& facts);
    void fillRows(QTextTable& textTable, const Table& table);
    void drawBorder(QTextTable& table, int row, bool above);
    void writeEvidence(const Finding& finding);

    BlockSetter& m_setter;
    FigureObject& m_figures;
    const ThemeColors& m_colors;
    std::vector<std::pair<const QTextTable*, const Table*>> m_tables;
    std::vector<SetHeading> m_headings;
};

} // namespace highwater::gui
