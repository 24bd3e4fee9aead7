#pragma once

#include <QStyledItemDelegate>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Draws the rows of the findings. A finding is one line, usually 28 pixels high, with the bytes saved, the
/// sentence, its first evidence if there is room, the grade, a link and a mark that unfolds it. The evidence
/// below it is wrapped.
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
    /// Role of the grey text: after the sentence, or before the bytes.
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
