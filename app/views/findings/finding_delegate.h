#pragma once

#include <QStyledItemDelegate>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the rows of the findings: the bytes saved, the sentence, the next step or evidence, the grade, a
/// link, and a mark that unfolds the row. In the first rows, the next step is below the sentence; every other
/// row is one line, usually 28 pixels high, in which the sentence is shortened for the next step, except in a
/// narrow column. The sentence of an unfolded row and the evidence below are wrapped.
class FindingDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    enum Column
    {
        Saves,
        Sentence,
        Grade,
        Show,
        Unfold,
        Columns
    };
    /// Role of the grey text after the sentence, and of the "≤" or "≥" before the bytes.
    static constexpr int kAsideRole = Qt::UserRole + 1;
    /// Role of a bool: the grey text after the sentence is what to do next, for which the sentence makes
    /// room, except in a narrow column.
    static constexpr int kNextRole = Qt::UserRole + 3;
    /// Role of the number of a finding, in its first column. Set only if the curve without the finding can be
    /// drawn.
    static constexpr int kFixRole = Qt::UserRole + 2;

    static constexpr int kRowHeight = 28;

    /// How rows show a next step below the sentence.
    enum class Rows
    {
        TwoLines, ///< both shortened
        Whole, ///< both wrapped
    };

    using QStyledItemDelegate::QStyledItemDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    /// Shows the first `count` findings so, and the others in one line. The items must be laid out again
    /// after a change.
    void setRows(Rows rows, int count)
    {
        m_rows = rows;
        m_rowCount = count;
    }
    /// True if a line in a column of this width, in pixels, cuts the sentence or the next step of a finding.
    static bool isCut(const QModelIndex& finding, int column, const QFontMetrics& font);
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintFinding(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintTexts(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintOpenTitle(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintEvidence(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintUnfold(QPainter& painter, const QRect& cell, bool isOpen) const;

    ThemeColors m_colors = ThemeColors::light();
    Rows m_rows = Rows::TwoLines;
    int m_rowCount = 0; ///< findings with a next step below the sentence
};

} // namespace highwater::gui
