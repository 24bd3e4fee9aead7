#pragma once

#include <string_view>

#include <QTextBlockFormat>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextTableFormat>

#include "app/views/report/report_look.h"

class QTextList;
class QTextTable;

namespace highwater::gui {

/// The format of a paragraph. Lengths are in units of ReportLook::spacing.
struct BlockLook
{
    double above = 0;
    double below = 4;
    double left = 0;
    bool keepWithNext = false; ///< no page break between this paragraph and the next, if possible
    int headingLevel = 0;
    bool unbroken = false; ///< lines are never wrapped
    Qt::Alignment alignment = Qt::AlignLeft;
    QColor background = {};
};

/// The format of a table cell.
struct CellLook
{
    bool isRight = false; ///< align the text right
    bool isUnbroken = false;
};

/// Writes paragraphs, lists and tables into a QTextDocument, one after another. The constructor begins an
/// edit block, so that the text is laid out only once; `finish` ends it and must be called.
class BlockSetter
{
public:
    /// Property of a paragraph's format: no page break between this paragraph and the next.
    static constexpr int kKeepWithNext = QTextFormat::UserProperty + 2;

    /// `document` and `look` must outlive the setter.
    BlockSetter(QTextDocument& document, const ReportLook& look);

    const ReportLook& look() const { return m_look; }
    /// Return the format of running text, of text in the quiet colour, and of code. `scale` is a factor of
    /// the font size.
    QTextCharFormat text(double scale = 1, bool bold = false) const;
    QTextCharFormat quiet(double scale = 1) const;
    QTextCharFormat fixed() const;

    /// Begins a new paragraph.
    void begin(const BlockLook& look);
    /// Begins a new list item at a depth of 1 or more; `isFirst` begins a new list. `number` is that of the
    /// item; 0 gives a bullet.
    void item(const BlockLook& look, int depth, bool isFirst, int number = 0);
    /// Appends text to the paragraph.
    void write(std::string_view words, const QTextCharFormat& format);
    /// Appends an object, such as a figure, to the paragraph.
    void object(const QTextCharFormat& format);
    /// Returns the start of the current paragraph, in characters.
    int position() const;

    /// Inserts a table. Fill its cells with `cell`, then call `leave`.
    QTextTable* table(int rows, int columns, const QTextTableFormat& format);
    void cell(QTextTable& table, int row, int column, std::string_view words, const QTextCharFormat& format,
        const CellLook& look) const;
    /// Continues the text below a table.
    void leave(const QTextTable& table);

    void finish();

private:
    QTextBlockFormat blockFormat(const BlockLook& look) const;
    void writeNumber(int number, int depth);

    QTextCursor m_cursor;
    const ReportLook& m_look;
    std::vector<QTextList*> m_lists; ///< unfinished lists by depth; null for one with written numbers
    bool m_isFresh = true; ///< the cursor is in an empty paragraph
};

/// Returns the text without characters that are special in a QTextDocument (paragraph and frame separators,
/// object placeholders); they become U+FFFD, after `shownText` has replaced others. Newlines become line
/// breaks.
QString textForDocument(std::string_view text);

} // namespace highwater::gui
