#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace highwater::gui {

/// Draws cells that can be clicked as links: in the colour of links, underlined under the mouse.
class LinkDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// `tip` is the first line of the cells' tool tips and says what a click does.
    LinkDelegate(QString tip, QObject* parent);

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    QString m_tip;
};

/// Makes the cells of a column look like links. The table's signal `clicked` reports clicks on them.
void makeLinks(QTableView& table, int column, const QString& tip);

} // namespace highwater::gui
