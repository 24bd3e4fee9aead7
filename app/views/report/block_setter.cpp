#include "app/views/report/block_setter.h"

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>

#include "core/report/model/plain_text.h"

namespace highwater::gui {

namespace {
constexpr double kFixedScale = 0.88;
constexpr double kLeftMargin
    = 10; ///< left margin of left-aligned texts in a table, except in its first column
}

QString textForDocument(std::string_view text)
{
    QString plain = QString::fromStdString(shownText(text));
    for (QChar& c : plain) {
        if (c == QLatin1Char('\n'))
            c = QChar(QChar::LineSeparator);
        else if (c == QChar::ParagraphSeparator || c == QChar::LineSeparator || c == QChar(0xfdd0)
            || c == QChar(0xfdd1) || c == QChar::ObjectReplacementCharacter)
            c = QChar(QChar::ReplacementCharacter);
    }
    return plain;
}

BlockSetter::BlockSetter(QTextDocument& document, const ReportLook& look)
    : m_cursor(&document)
    , m_look(look)
{
    m_cursor.beginEditBlock(); // otherwise every change lays out the text again
}

QTextCharFormat BlockSetter::text(double scale, bool bold) const
{
    QTextCharFormat format;
    QFont font = m_look.font;
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    format.setFont(font);
    format.setForeground(m_look.colors.text);
    return format;
}

QTextCharFormat BlockSetter::quiet(double scale) const
{
    QTextCharFormat format = text(scale);
    format.setForeground(m_look.colors.quietText);
    return format;
}

QTextCharFormat BlockSetter::fixed() const
{
    QTextCharFormat format = text(kFixedScale);
    QFont font = format.font();
    font.setFamilies(QFontDatabase::systemFont(QFontDatabase::FixedFont).families());
    font.setStyleHint(QFont::Monospace);
    format.setFont(font);
    return format;
}

QTextBlockFormat BlockSetter::blockFormat(const BlockLook& look) const
{
    QTextBlockFormat format;
    format.setTopMargin(look.above * m_look.spacing);
    format.setBottomMargin(look.below * m_look.spacing);
    // Qt scales margins for paper, except this one.
    format.setLeftMargin(look.left * m_look.spacing * (m_look.isPaper ? m_look.figurePixel : 1));
    format.setAlignment(look.alignment);
    format.setNonBreakableLines(look.unbroken);
    if (look.headingLevel > 0)
        format.setHeadingLevel(look.headingLevel);
    if (look.keepWithNext)
        format.setProperty(kKeepWithNext, true);
    if (look.background.isValid())
        format.setBackground(look.background);
    return format;
}

void BlockSetter::begin(const BlockLook& look)
{
    const QTextBlockFormat format = blockFormat(look);
    if (std::exchange(m_isFresh, false)) {
        m_cursor.setBlockFormat(format);
        m_cursor.setBlockCharFormat(text());
    } else {
        m_cursor.insertBlock(format, text());
    }
}

void BlockSetter::item(const BlockLook& look, int depth, bool isFirst, int number)
{
    begin(look);
    m_lists.resize(static_cast<std::size_t>(depth));
    QTextList*& list = m_lists.back();
    if (!isFirst)
        return list ? list->add(m_cursor.block()) : writeNumber(number, depth);
    if (number > 1) { // before Qt 6.6, lists always begin at 1
        list = nullptr;
        return writeNumber(number, depth);
    }
    QTextListFormat format;
    format.setStyle(number > 0 ? QTextListFormat::ListDecimal : QTextListFormat::ListDisc);
    format.setIndent(depth);
    list = m_cursor.createList(format);
}

void BlockSetter::writeNumber(int number, int depth)
{
    QTextBlockFormat indented;
    indented.setIndent(depth);
    m_cursor.mergeBlockFormat(indented);
    write(std::to_string(number) + ". ", text());
}

void BlockSetter::write(std::string_view words, const QTextCharFormat& format)
{
    m_cursor.insertText(textForDocument(words), format);
}

void BlockSetter::object(const QTextCharFormat& format)
{
    m_cursor.insertText(QString(QChar(QChar::ObjectReplacementCharacter)), format);
}

int BlockSetter::position() const
{
    return m_cursor.block().position();
}

QTextTable* BlockSetter::table(int rows, int columns, const QTextTableFormat& format)
{
    QTextTableFormat tableFormat = format;
    tableFormat.setBorder(0);
    tableFormat.setBorderCollapse(true);
    tableFormat.setCellSpacing(0);
    tableFormat.setTopMargin(2 * m_look.spacing);
    tableFormat.setBottomMargin(6 * m_look.spacing);
    return m_cursor.insertTable(rows, columns, tableFormat);
}

void BlockSetter::cell(QTextTable& table, int row, int column, std::string_view words,
    const QTextCharFormat& format, const CellLook& look) const
{
    QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
    // Leaves space between a text and the right-aligned figure before it.
    cursor.setBlockFormat(blockFormat({.below = 0,
        .left = column > 0 && !look.isRight ? kLeftMargin : 0,
        .unbroken = look.isUnbroken,
        .alignment = look.isRight ? Qt::AlignRight : Qt::AlignLeft}));
    cursor.setBlockCharFormat(format);
    cursor.insertText(textForDocument(words), format);
}

/// Makes the paragraph that Qt adds after a table thin, and uses it for the next text.
void BlockSetter::leave(const QTextTable& table)
{
    m_cursor.setPosition(table.lastPosition());
    m_cursor.movePosition(QTextCursor::NextBlock);
    QTextBlockFormat thin;
    thin.setLineHeight(1, QTextBlockFormat::FixedHeight);
    m_cursor.setBlockFormat(thin);
    m_isFresh = true;
}

void BlockSetter::finish()
{
    if (m_isFresh)
        m_cursor.setBlockCharFormat(text(0.1));
    m_cursor.endEditBlock();
}

} // namespace highwater::gui
