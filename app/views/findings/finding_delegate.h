#pragma once

#include <QStyledItemDelegate>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the rows of the findings: one line of 28 pixels a finding, with the bytes saved, the sentence, its
/// first evidence as far as there is room, the grade, a link and a mark that unfolds it; below it its
/// evidence, wrapped.
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
    /// What stands in grey behind a sentence, and before the bytes.
    static constexpr int kAsideRole = Qt::UserRole + 1;

    static constexpr int kRowHeight = 28;

    using QStyledItemDelegate::QStyledItemDelegate;

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintFinding(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintEvidence(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintUnfold(QPainter& painter, const QRect& cell, bool isOpen) const;

    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
