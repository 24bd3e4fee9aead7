#pragma once

#include <functional>

#include <QStyledItemDelegate>

class QTableView;

namespace highwater::gui {

/// Draws cells that can be clicked: underlined under the mouse, but not blue, because blue stands for less
/// memory in comparisons.
class LinkDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using IsLink = std::function<bool(const QModelIndex&)>;

    /// `tip` is the first line of the links' tool tips and says what a click does. Cells for which `isLink`
    /// is false are quiet.
    LinkDelegate(QString tip, IsLink isLink, QObject* parent);

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    QString m_tip;
    IsLink m_isLink;
};

/// Makes the cells of a column look like links, except those for which `isLink` is false. The table's signal
/// `clicked` reports clicks on all cells, links or not.
void makeLinks(QTableView& table, int column, const QString& tip, const LinkDelegate::IsLink& isLink);

} // namespace highwater::gui
