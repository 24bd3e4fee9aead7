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

/// How a paragraph is set. Lengths are those of ReportLook::spacing.
struct BlockLook
{
    double above = 0;
    double below = 4;
    double left = 0;
    bool keepWithNext = false; ///< no page ends between it and the next
    int headingLevel = 0;
    bool unbroken = false; ///< its lines are never wrapped
    Qt::Alignment alignment = Qt::AlignLeft;
    QColor background = {};
};

/// How a cell of a table is set.
struct CellLook
{
    bool isRight = false; ///< its text is aligned right
    bool isUnbroken = false;
};

/// Sets paragraphs, lists and tables into a document, one after the other. All changes are one: to be ended
/// with `finish`.
class BlockSetter
{
public:
    /// Property of a paragraph's format: no page ends between it and the next.
    static constexpr int kKeepWithNext = QTextFormat::UserProperty + 2;

    /// Both must outlive it.
    BlockSetter(QTextDocument& document, const ReportLook& look);

    const ReportLook& look() const { return m_look; }
    /// Formats of running text; `size` in sizes of it.
    QTextCharFormat text(double size = 1, bool bold = false) const;
    QTextCharFormat quiet(double size = 1) const;
    QTextCharFormat fixed() const;

    /// A new paragraph.
    void begin(const BlockLook& look);
    /// A new item of a list, at a depth of 1 and more; the first one begins the list. Numbers begin at
    /// `number`; 0: bullets.
    void item(const BlockLook& look, int depth, bool isFirst, int number = 0);
    /// At the end of the paragraph.
    void write(std::string_view words, const QTextCharFormat& format);
    void object(const QTextCharFormat& format);
    /// Where the paragraph begins, in characters.
    int position() const;

    /// Its cells are to be filled, then it is left.
    QTextTable* table(int rows, int columns, const QTextTableFormat& format);
    void cell(QTextTable& table, int row, int column, std::string_view words, const QTextCharFormat& format,
        const CellLook& look) const;
    void leave(const QTextTable& table);

    void finish();

private:
    QTextBlockFormat blockFormat(const BlockLook& look) const;

    QTextCursor m_cursor;
    const ReportLook& m_look;
    std::vector<QTextList*> m_lists; ///< those that go on, by depth
    bool m_isFresh = true; ///< the cursor is in an empty paragraph
};

/// For a QTextDocument: characters that mean something to it (ends of paragraphs and frames, places of
/// objects) are shown as U+FFFD, as are those of `shownText`; ends of lines break the line.
QString plainForDocument(std::string_view text);

} // namespace highwater::gui
