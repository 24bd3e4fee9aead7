#pragma once

#include <QStyledItemDelegate>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the rows of the findings. A finding is one line, usually 28 pixels high: the bytes saved, the
/// sentence, the next step or evidence if there is room, the grade, a link, and a mark that unfolds the row.
/// The sentence is shortened for the next step, except in a narrow column. The sentence of an unfolded row
/// and the evidence below are wrapped.
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
    /// room unless `isTooNarrowForNext`.
    static constexpr int kNextRole = Qt::UserRole + 3;
    /// Role of the number of a finding, in its first column. Set only if the curve without the finding can be
    /// drawn.
    static constexpr int kFixRole = Qt::UserRole + 2;

    static constexpr int kRowHeight = 28;

    using QStyledItemDelegate::QStyledItemDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    /// True if the next step has too little room behind the sentence in a column of this width, in pixels.
    static bool isTooNarrowForNext(int column, const QFontMetrics& font);
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintFinding(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintOpenTitle(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintEvidence(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintUnfold(QPainter& painter, const QRect& cell, bool isOpen) const;

    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
