#pragma once

#include <string>
#include <string_view>

#include <QTextBlockFormat>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextTableFormat>

#include "app/views/report/figure_object.h"
#include "app/views/report/report_look.h"
#include "core/report/report.h"

class QTextList;
class QTextTable;

namespace highwater::gui {

/// Sets a report's parts into a document, one after the other.
class ReportSetter
{
public:
    /// All must outlive it.
    ReportSetter(QTextDocument& document, FigureObject& figures, const ReportLook& look);

    /// Title, files, verdict.
    void head(const Report& report);
    /// Returns where it stands.
    int heading(const std::string& title);

    void operator()(const ReportParagraph& paragraph);
    void operator()(const ReportList& list);
    void operator()(const ReportFacts& facts);
    void operator()(const ReportTable& table);
    void operator()(const ReportFigure& figure);
    void operator()(const ReportQuote& quote);
    void operator()(const ReportFinding& finding);
    void operator()(const ReportNote& note);

    /// To be called once, when all is set.
    void finish();

private:
    struct BlockLook
    {
        double above = 0;
        double below = 4;
        double left = 0;
        bool keepWithNext = false;
        int headingLevel = 0;
        bool unbroken = false; ///< never wrapped
        Qt::Alignment alignment = Qt::AlignLeft;
        QColor background = {};
    };

    QTextCharFormat text(double size = 1, bool bold = false) const;
    QTextCharFormat quiet(double size = 1) const;
    QTextCharFormat fixed() const;
    QTextBlockFormat blockFormat(const BlockLook& look) const;
    void begin(const BlockLook& look);
    void write(std::string_view words, const QTextCharFormat& format);
    void caption(const std::string& words);
    QTextTable* insertTable(int rows, int columns, const QTextTableFormat& format);
    void leaveTable(const QTextTable& table);
    void cell(QTextTable& table, int row, int column, std::string_view words, const QTextCharFormat& format,
        bool isNumber);
    void underline(QTextTable& table, int row, bool above = false);
    void bullet(const QTextCharFormat& format, std::string_view words, bool isFirst, bool keepWithNext);
    void evidence(const Finding& finding);
    void markdown(const std::string& text);

    QTextCursor m_cursor;
    FigureObject& m_figures;
    const ReportLook& m_look;
    QTextList* m_list = nullptr;
    bool m_isFresh = true; ///< the cursor is in a block that nothing stands in
};

} // namespace highwater::gui
