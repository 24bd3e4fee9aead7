#include "app/views/report/report_setter.h"

#include <algorithm>

#include <QTextTable>

#include "app/views/report/column_widths.h"
#include "app/views/report/rich_text_setter.h"
#include "core/base/text/sentence_text.h"
#include "core/figure/drawing/note_flag.h"
#include "core/report/model/finding_text.h"
#include "core/report/model/plain_text.h"

namespace highwater::gui {

namespace {

constexpr double kSmall = 0.88; ///< factor of the font size
/// A blank line to be filled in by hand.
constexpr const char* kBlank = "________________________________________";
/// Width of a table in percent of the text's width: Qt adds the cell padding to it.
constexpr double kTableWidthPercent = 99.2;
/// Tables with more columns use a smaller font, so that they fit on a page.
constexpr std::size_t kManyColumns = 7;
constexpr std::size_t kVeryManyColumns = 10;

/// Returns the font size of a table as a factor.
double scaleForColumns(std::size_t columns)
{
    return columns > kVeryManyColumns ? 0.7 : columns > kManyColumns ? 0.78 : kSmall;
}

/// Joins texts by " · ".
std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : " · ") + part;
    return text;
}

} // namespace

ReportSetter::ReportSetter(BlockSetter& setter, FigureObject& figures)
    : m_setter(setter)
    , m_figures(figures)
    , m_colors(setter.look().colors)
{
}

void ReportSetter::head(const Report& report)
{
    m_setter.begin({.below = 2, .keepWithNext = true, .headingLevel = 1});
    m_setter.write(report.title, m_setter.text(1.7, true));
    if (!report.subtitle.empty()) {
        m_setter.begin({.below = 2, .keepWithNext = true});
        m_setter.write(report.subtitle, m_setter.quiet());
    }
    if (!report.written.empty()) {
        m_setter.begin({.below = 6, .keepWithNext = true});
        m_setter.write(report.written, m_setter.quiet(kSmall));
    }
    if (!report.verdict.empty()) {
        m_setter.begin({.above = 4, .below = 6});
        m_setter.write(report.verdict, m_setter.text(1.15, true));
    }
}

int ReportSetter::heading(const std::string& title, bool isAppendix)
{
    m_setter.begin({.above = 18, .below = 6, .keepWithNext = true, .headingLevel = 2});
    m_setter.write(title, m_setter.text(1.35, true));
    m_headings.push_back({title, 1, m_setter.position(), isAppendix});
    return m_setter.position();
}

/// Remembers the current paragraph as a heading in the current section.
void ReportSetter::addHeading(const std::string& title)
{
    m_headings.push_back(
        {title, 2, m_setter.position(), !m_headings.empty() && m_headings.back().isAppendix});
}

void ReportSetter::operator()(const ReportParagraph& paragraph)
{
    const bool isWarning = paragraph.tone == Tone::Warning;
    m_setter.begin({.above = 2, .below = 6, .background = isWarning ? m_colors.warningSoft : QColor()});
    switch (paragraph.tone) {
    case Tone::Plain:
    case Tone::Warning: return m_setter.write(paragraph.text, m_setter.text());
    case Tone::Quiet: return m_setter.write(paragraph.text, m_setter.quiet(kSmall));
    case Tone::Strong: return m_setter.write(paragraph.text, m_setter.text(1.08, true));
    }
}

void ReportSetter::operator()(const ReportList& list)
{
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        m_setter.item({.below = 2}, 1, i == 0);
        m_setter.write(list.items[i], m_setter.text());
    }
}

void ReportSetter::writeCaption(const std::string& words)
{
    if (words.empty())
        return;
    m_setter.begin({.above = 6, .below = 3, .keepWithNext = true});
    m_setter.write(words, m_setter.quiet(kSmall));
}

void ReportSetter::drawBorder(QTextTable& table, int row, bool above)
{
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(row, column);
        QTextTableCellFormat format = cell.format().toTableCellFormat();
        if (above) {
            format.setTopBorder(1);
            format.setTopBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setTopBorderBrush(m_colors.border);
        } else {
            format.setBottomBorder(1);
            format.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBottomBorderBrush(m_colors.border);
        }
        cell.setFormat(format);
    }
}

/// Writes the figures side by side, each below its name.
void ReportSetter::writeKeyFigures(const ReportFacts& facts)
{
    QTextTableFormat format;
    format.setCellPadding(2 * m_setter.look().spacing);
    format.setWidth(QTextLength(QTextLength::PercentageLength, kTableWidthPercent));
    const double share = kTableWidthPercent / static_cast<double>(facts.rows.size());
    format.setColumnWidthConstraints(QList<QTextLength>(
        static_cast<qsizetype>(facts.rows.size()), QTextLength(QTextLength::PercentageLength, share)));
    QTextTable* const table = m_setter.table(2, static_cast<int>(facts.rows.size()), format);
    int column = 0;
    for (const auto& [name, value] : facts.rows) {
        m_setter.cell(*table, 0, column, name, m_setter.quiet(kSmall), {});
        m_setter.cell(*table, 1, column++, cellText(value), m_setter.text(1.05, true), {});
    }
    m_setter.leave(*table);
}

void ReportSetter::operator()(const ReportFacts& facts)
{
    writeCaption(facts.caption);
    if (facts.rows.empty())
        return;
    if (facts.style == FactStyle::Figures)
        return writeKeyFigures(facts);
    QTextTableFormat format;
    format.setCellPadding(2 * m_setter.look().spacing);
    QTextTable* const table = m_setter.table(static_cast<int>(facts.rows.size()), 2, format);
    int row = 0;
    for (const auto& [name, value] : facts.rows) {
        const bool isBlank = facts.style == FactStyle::Fields && value.isEmpty();
        m_setter.cell(*table, row, 0, name,
            facts.style == FactStyle::Answer ? m_setter.text(1, true) : m_setter.quiet(), {});
        m_setter.cell(*table, row, 1, isBlank ? kBlank : cellText(value), m_setter.text(), {});
        ++row;
    }
    m_setter.leave(*table);
}

void ReportSetter::fillRows(QTextTable& textTable, const Table& table)
{
    const double scale = scaleForColumns(table.columns.size());
    const QTextCharFormat titles = m_setter.quiet(scale);
    const auto fill = [&](int row, const TableRow& cells, const QTextCharFormat& format) {
        for (std::size_t column = 0; column < std::min(table.columns.size(), cells.size()); ++column)
            m_setter.cell(textTable, row, static_cast<int>(column), cellText(cells[column]), format,
                {table.columns[column].isNumber, cells[column].amount() != nullptr});
    };
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        m_setter.cell(textTable, 0, static_cast<int>(column), table.columns[column].title, titles,
            {table.columns[column].isNumber, false});
    int row = 1;
    const QTextCharFormat plain = m_setter.text(scale);
    for (const TableRow& cells : table.rows)
        fill(row++, cells, plain);
    if (showsTotal(table))
        fill(row, table.total, m_setter.text(scale, true));
}

void ReportSetter::operator()(const Table& table)
{
    writeCaption(table.caption);
    if (table.columns.empty())
        return;
    QTextTableFormat format;
    format.setCellPadding(3 * m_setter.look().spacing);
    format.setHeaderRowCount(1);
    format.setWidth(QTextLength(QTextLength::PercentageLength, kTableWidthPercent));
    format.setColumnWidthConstraints(columnWidths(
        table, m_setter.text(scaleForColumns(table.columns.size())).font(), m_setter.look().roomInPixels()));
    const bool hasTotal = showsTotal(table);
    const auto count = static_cast<int>(table.rows.size()) + 1;
    QTextTable* const textTable
        = m_setter.table(count + (hasTotal ? 1 : 0), static_cast<int>(table.columns.size()), format);
    m_tables.emplace_back(textTable, &table);
    fillRows(*textTable, table);
    drawBorder(*textTable, 0, false);
    if (hasTotal)
        drawBorder(*textTable, count, true);
    m_setter.leave(*textTable);
    if (table.leftOut.empty())
        return;
    m_setter.begin({.below = 6});
    m_setter.write(table.leftOut, m_setter.quiet(kSmall));
}

void ReportSetter::operator()(const ReportFigure& figure)
{
    m_setter.begin({.above = 6, .below = 2, .keepWithNext = !figure.caption.empty()});
    m_setter.object(m_figures.add(figure));
    if (figure.caption.empty())
        return;
    m_setter.begin({.below = 8});
    m_setter.write(figure.caption, m_setter.quiet(kSmall));
}

void ReportSetter::operator()(const ReportQuote& quote)
{
    if (!quote.source.empty()) {
        m_setter.begin({.above = 6, .below = 2, .keepWithNext = true});
        m_setter.write(quote.source, m_setter.quiet(kSmall));
    }
    const std::vector<std::string> lines = linesOf(quote.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_setter.begin({.below = i + 1 == lines.size() ? 6.0 : 0.0, .background = m_colors.window});
        m_setter.write(lines[i], m_setter.fixed());
    }
}

void ReportSetter::writeEvidence(const Finding& finding)
{
    const bool hasRemedy = !finding.remedy.action.empty();
    const bool hasDoubt = !finding.wouldDisprove.empty();
    std::size_t remaining = finding.evidence.size() + (hasRemedy ? 1 : 0) + (hasDoubt ? 1 : 0);
    bool isFirst = true;
    const auto begin = [&] {
        m_setter.item({.below = 2, .keepWithNext = --remaining > 0}, 1, std::exchange(isFirst, false));
    };
    if (hasRemedy) {
        begin();
        m_setter.write("Next: ", m_setter.text(1, true));
        m_setter.write(actionSentence(finding), m_setter.text());
    }
    for (const Evidence& piece : finding.evidence) {
        begin();
        m_setter.write(piece.sentence, m_setter.text());
    }
    if (hasDoubt) {
        begin();
        m_setter.write(fullSentence(finding.wouldDisprove), m_setter.quiet());
    }
}

void ReportSetter::operator()(const ReportFinding& reportFinding)
{
    const Finding& finding = reportFinding.finding;
    m_setter.begin({.above = 8, .below = 1, .keepWithNext = true});
    m_setter.write(finding.title, m_setter.text(1, true));
    addHeading(finding.title);
    m_setter.begin({.below = 3, .keepWithNext = true});
    const std::string grade
        = std::string(inWords(finding.grade)) + ": " + std::string(gradeMeaning(finding.grade));
    m_setter.write(grade + " · " + joined(findingFacts(reportFinding)), m_setter.quiet(kSmall));
    writeEvidence(finding);
}

void ReportSetter::operator()(const ReportNote& reportNote)
{
    m_setter.begin({.above = 8, .below = 2, .keepWithNext = true});
    QTextCharFormat flag = m_setter.text(1, true);
    flag.setForeground(Qt::white);
    flag.setBackground(QColor::fromRgb(noteColor(reportNote.note.color)));
    m_setter.write(" " + std::to_string(reportNote.number) + " ", flag);
    m_setter.write("  " + noteTitle(reportNote), m_setter.text(1.05, true));
    addHeading(noteTitle(reportNote));
    if (!reportNote.where.empty()) {
        m_setter.begin({.below = 3, .keepWithNext = !reportNote.note.text.empty()});
        m_setter.write(reportNote.where, m_setter.quiet(kSmall));
    }
    setRichText(m_setter, parseRichText(reportNote.note.text));
}

} // namespace highwater::gui
