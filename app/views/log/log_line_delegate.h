#pragma once

#include <QStyledItemDelegate>

namespace highwater::gui {

/// Returns a line that fits into `characters`, with its amounts of memory: what precedes the first amount is
/// cut in its middle, since a view that cuts the end would hide the figures. The line itself if it fits, or
/// if its amounts would be visible anyway.
QString cutAroundAmounts(const QString& line, qsizetype characters);

/// Draws the lines of a log. A failure, a warning or a line of figures that is too wide keeps its amounts of
/// memory visible; the tool tip has the whole line.
class LogLineDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace highwater::gui
