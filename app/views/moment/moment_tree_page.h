#pragma once

#include "app/models/call_tree_model.h"
#include "app/views/moment/moment_page.h"

class QTreeView;

namespace highwater::gui {

class ShareDelegate;

/// The calls that a moment's allocations come from, as a tree. At first, the path with the most bytes is
/// open. Enter opens the path with the most bytes below a row, or closes the row; the right arrow opens it,
/// too.
class MomentTreePage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentTreePage(CallDirection direction, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    QString text(bool onlySelected) const override;
    QTreeView& tree() { return *m_tree; }

protected:
    void refresh() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void acceptTree(std::shared_ptr<const CallTree> tree);
    std::vector<bool> selectedMembers() const;
    void chooseRows();
    void openHeaviestPath(const QModelIndex& root);
    void toggle(const QModelIndex& index);
    void fitBars();
    void openMatches();
    void showMatchCount();

    CallDirection m_direction;
    CallTreeModel* m_model;
    QTreeView* m_tree;
    ShareDelegate* m_delegate;
};

} // namespace highwater::gui
