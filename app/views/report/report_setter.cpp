#include "app/views/report/report_setter.h"

#include <algorithm>

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextList>
#include <QTextTable>

#include "app/views/report/report_text.h"
#include "app/workspace/qt_text.h"
#include "core/figure/note_flag.h"

namespace highwater::gui {

namespace {

constexpr double kSmall = 0.88;
/// Tables of many columns are set smaller, so that they fit on a page.
constexpr int kManyColumns = 7;
constexpr int kVeryManyColumns = 10;

double sizeForColumns(std::size_t columns)
{
    return columns > kVeryManyColumns ? 0.7 : columns > kManyColumns ? 0.8 : kSmall;
}

std::string remedyText(const Remedy& remedy)
{
    if (remedy.savedBytes <= 0)
        return remedy.action;
    const QString saves = remedy.isUpperBound ? QObject::tr("saves at most %1 in this run")
                                              : QObject::tr("saves %1 in this run");
    return remedy.action + " (" + saves.arg(bytesText(remedy.savedBytes)).toStdString() + ")";
}

} // namespace

ReportSetter::ReportSetter(QTextDocument& document, FigureObject& figures, const ReportLook& look)
    : m_cursor(&document)
    , m_figures(figures)
    , m_look(look)
{
    m_cursor.beginEditBlock(); // else every change lays out the text
}

QTextCharFormat ReportSetter::text(double size, bool bold) const
{
    QTextCharFormat format;
    QFont font = m_look.font;
    font.setPointSizeF(font.pointSizeF() * size);
    font.setBold(bold);
    format.setFont(font);
    format.setForeground(m_look.colors.text);
    return format;
}

QTextCharFormat ReportSetter::quiet(double size) const
{
    QTextCharFormat format = text(size);
    format.setForeground(m_look.colors.quietText);
    return format;
}

QTextCharFormat ReportSetter::fixed() const
{
    QTextCharFormat format = text(kSmall);
    QFont font = format.font();
    font.setFamilies(QFontDatabase::systemFont(QFontDatabase::FixedFont).families());
    font.setStyleHint(QFont::Monospace);
    format.setFont(font);
    return format;
}

QTextBlockFormat ReportSetter::blockFormat(const BlockLook& look) const
{
    QTextBlockFormat format;
    format.setTopMargin(look.above * m_look.spacing);
    format.setBottomMargin(look.below * m_look.spacing);
    format.setLeftMargin(look.left * m_look.spacing);
    format.setAlignment(look.alignment);
    format.setNonBreakableLines(look.unbroken);
    if (look.headingLevel > 0)
        format.setHeadingLevel(look.headingLevel);
    if (look.keepWithNext)
        format.setProperty(ReportText::kKeepWithNext, true);
    if (look.background.isValid())
        format.setBackground(look.background);
    return format;
}

void ReportSetter::begin(const BlockLook& look)
{
    m_list = nullptr;
    const QTextBlockFormat format = blockFormat(look);
    if (std::exchange(m_isFresh, false)) {
        m_cursor.setBlockFormat(format);
        m_cursor.setBlockCharFormat(text());
    } else {
        m_cursor.insertBlock(format, text());
    }
}

void ReportSetter::write(std::string_view words, const QTextCharFormat& format)
{
    m_cursor.insertText(plainForDocument(words), format);
}

void ReportSetter::head(const Report& report)
{
    begin({.below = 2, .keepWithNext = true, .headingLevel = 1});
    write(report.title, text(1.7, true));
    if (!report.subtitle.empty()) {
        begin({.below = 2, .keepWithNext = true});
        write(report.subtitle, quiet());
    }
    if (!report.written.empty()) {
        begin({.below = 6, .keepWithNext = true});
        write(report.written, quiet(kSmall));
    }
    if (!report.verdict.empty()) {
        begin({.above = 4, .below = 6});
        write(report.verdict, text(1.15, true));
    }
}

int ReportSetter::heading(const std::string& title)
{
    begin({.above = 18, .below = 6, .keepWithNext = true, .headingLevel = 2});
    write(title, text(1.35, true));
    return m_cursor.block().position();
}

void ReportSetter::operator()(const ReportParagraph& paragraph)
{
    const bool isWarning = paragraph.tone == Tone::Warning;
    begin({.above = 2, .below = 6, .background = isWarning ? m_look.colors.warningSoft : QColor()});
    switch (paragraph.tone) {
    case Tone::Plain: return write(paragraph.text, text());
    case Tone::Quiet: return write(paragraph.text, quiet(kSmall));
    case Tone::Strong: return write(paragraph.text, text(1.08, true));
    case Tone::Warning: break;
    }
    QTextCharFormat format = text();
    format.setForeground(m_look.colors.warning);
    write(paragraph.text, format);
}

void ReportSetter::bullet(
    const QTextCharFormat& format, std::string_view words, bool isFirst, bool keepWithNext)
{
    QTextList* const list = isFirst ? nullptr : m_list;
    begin({.below = 2, .keepWithNext = keepWithNext});
    m_list = list;
    if (m_list) {
        m_list->add(m_cursor.block());
    } else {
        QTextListFormat marks;
        marks.setStyle(QTextListFormat::ListDisc);
        marks.setIndent(1);
        m_list = m_cursor.createList(marks);
    }
    m_cursor.setBlockCharFormat(format);
    write(words, format);
}

void ReportSetter::operator()(const ReportList& list)
{
    for (std::size_t i = 0; i < list.items.size(); ++i)
        bullet(text(), list.items[i], i == 0, false);
}

void ReportSetter::caption(const std::string& words)
{
    if (words.empty())
        return;
    begin({.above = 6, .below = 3, .keepWithNext = true});
    write(words, quiet(kSmall));
}

QTextTable* ReportSetter::insertTable(int rows, int columns, const QTextTableFormat& format)
{
    m_list = nullptr;
    QTextTableFormat own = format;
    own.setBorder(0);
    own.setBorderCollapse(true);
    own.setCellSpacing(0);
    own.setTopMargin(2 * m_look.spacing);
    own.setBottomMargin(6 * m_look.spacing);
    return m_cursor.insertTable(rows, columns, own);
}

/// There always is a block behind a table: the next one.
void ReportSetter::leaveTable(const QTextTable& table)
{
    m_cursor.setPosition(table.lastPosition());
    m_cursor.movePosition(QTextCursor::NextBlock);
    QTextBlockFormat thin;
    thin.setLineHeight(1, QTextBlockFormat::FixedHeight);
    m_cursor.setBlockFormat(thin);
    m_isFresh = true;
}

void ReportSetter::cell(QTextTable& table, int row, int column, std::string_view words,
    const QTextCharFormat& format, bool isNumber)
{
    QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
    cursor.setBlockFormat(blockFormat(
        {.below = 0, .unbroken = isNumber, .alignment = isNumber ? Qt::AlignRight : Qt::AlignLeft}));
    cursor.setBlockCharFormat(format);
    cursor.insertText(plainForDocument(words), format);
}

void ReportSetter::underline(QTextTable& table, int row, bool above)
{
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(row, column);
        QTextTableCellFormat format = cell.format().toTableCellFormat();
        if (above) {
            format.setTopBorder(1);
            format.setTopBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setTopBorderBrush(m_look.colors.border);
        } else {
            format.setBottomBorder(1);
            format.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBottomBorderBrush(m_look.colors.border);
        }
        cell.setFormat(format);
    }
}

void ReportSetter::operator()(const ReportFacts& facts)
{
    caption(facts.caption);
    if (facts.rows.empty())
        return;
    QTextTableFormat format;
    format.setCellPadding(2 * m_look.spacing);
    QTextTable* const table = insertTable(static_cast<int>(facts.rows.size()), 2, format);
    int row = 0;
    for (const auto& [name, value] : facts.rows) {
        cell(*table, row, 0, name + "   ", quiet(), false);
        cell(*table, row++, 1, cellText(value), text(), false);
    }
    leaveTable(*table);
}

void ReportSetter::operator()(const ReportTable& table)
{
    caption(table.caption);
    const auto columns = static_cast<int>(table.columns.size());
    if (columns == 0)
        return;
    QTextTableFormat format;
    format.setCellPadding(3 * m_look.spacing);
    format.setHeaderRowCount(1);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    const bool hasTotal = !table.total.empty();
    const auto rows = static_cast<int>(table.rows.size());
    QTextTable* const set = insertTable(rows + 1 + (hasTotal ? 1 : 0), columns, format);
    const double size = sizeForColumns(table.columns.size());
    const auto fill = [&](int row, const std::vector<ReportCell>& cells, bool bold) {
        for (int column = 0; column < std::min(columns, static_cast<int>(cells.size())); ++column) {
            const auto at = static_cast<std::size_t>(column);
            cell(*set, row, column, cellText(cells[at]), text(size, bold), table.columns[at].isNumber);
        }
    };
    for (int column = 0; column < columns; ++column) {
        const ReportColumn& of = table.columns[static_cast<std::size_t>(column)];
        cell(*set, 0, column, of.title, quiet(size), of.isNumber);
    }
    for (int row = 0; row < rows; ++row)
        fill(row + 1, table.rows[static_cast<std::size_t>(row)], false);
    underline(*set, 0);
    if (hasTotal) {
        fill(rows + 1, table.total, true);
        underline(*set, rows + 1, true);
    }
    leaveTable(*set);
    if (table.leftOut.empty())
        return;
    begin({.below = 6});
    write(table.leftOut, quiet(kSmall));
}

void ReportSetter::operator()(const ReportFigure& figure)
{
    begin({.above = 6, .below = 2, .keepWithNext = !figure.caption.empty()});
    m_cursor.insertText(QString(QChar(QChar::ObjectReplacementCharacter)), m_figures.add(figure));
    if (figure.caption.empty())
        return;
    begin({.below = 8});
    write(figure.caption, quiet(kSmall));
}

void ReportSetter::operator()(const ReportQuote& quote)
{
    if (!quote.source.empty()) {
        begin({.above = 6, .below = 2, .keepWithNext = true});
        write(quote.source, quiet(kSmall));
    }
    const std::string_view all = quote.text;
    for (std::size_t from = 0; from <= all.size();) {
        const std::size_t end = std::min(all.find('\n', from), all.size());
        begin({.below = end == all.size() ? 6.0 : 0.0, .left = 8, .background = m_look.colors.window});
        write(all.substr(from, end - from), fixed());
        from = end + 1;
    }
}

void ReportSetter::evidence(const Finding& finding)
{
    const bool hasRemedy = !finding.remedy.action.empty();
    const bool hasDoubt = !finding.wouldDisprove.empty();
    std::size_t left = finding.evidence.size() + (hasRemedy ? 1 : 0) + (hasDoubt ? 1 : 0);
    bool isFirst = true;
    const auto add = [&](const QTextCharFormat& format, std::string_view words) {
        bullet(format, words, std::exchange(isFirst, false), --left > 0);
    };
    for (const Evidence& piece : finding.evidence)
        add(text(), piece.sentence);
    if (hasRemedy) {
        add(text(1, true), QObject::tr("Next: ").toStdString());
        write(remedyText(finding.remedy), text());
    }
    if (hasDoubt)
        add(quiet(), QObject::tr("Would disprove it: ").toStdString() + finding.wouldDisprove);
}

void ReportSetter::operator()(const ReportFinding& of)
{
    const Finding& finding = of.finding;
    begin({.above = 8, .below = 3, .keepWithNext = true});
    QTextCharFormat title = text(1, true);
    if (finding.kind == FindingKind::Fault && finding.grade != Grade::C)
        title.setForeground(m_look.colors.warning);
    write(finding.title, title);
    std::string about = "   " + std::string(toText(finding.grade)) + " · " + finding.rule;
    if (!of.run.empty())
        about += " · " + of.run;
    write(about, quiet(kSmall));
    evidence(finding);
}

void ReportSetter::operator()(const ReportNote& of)
{
    begin({.above = 8, .below = 2, .keepWithNext = true});
    QTextCharFormat flag = text(1, true);
    flag.setForeground(Qt::white);
    flag.setBackground(QColor::fromRgb(noteColor(of.note.color)));
    write(" " + std::to_string(of.number) + " ", flag);
    write("  " + of.note.title, text(1.05, true));
    if (!of.where.empty()) {
        begin({.below = 3, .keepWithNext = !of.note.text.empty()});
        write(of.where, quiet(kSmall));
    }
    markdown(of.note.text);
}

void ReportSetter::markdown(const std::string& words)
{
    if (words.empty())
        return;
    begin({.below = 6});
    m_cursor.insertFragment(QTextDocumentFragment::fromMarkdown(
        toQString(words), QTextDocument::MarkdownFeatures(QTextDocument::MarkdownNoHTML)));
}

void ReportSetter::finish()
{
    if (m_isFresh)
        m_cursor.setBlockCharFormat(text(0.1));
    m_cursor.endEditBlock();
}

} // namespace highwater::gui
