#pragma once

#include "app/models/table_tree_model.h"
#include "app/views/moment/moment_page.h"
#include "core/analysis/modules/module_tree.h"

class QTreeView;

namespace highwater::gui {

/// The allocations of a moment by the modules that made them, as a tree with bytes by category. A click on a
/// column title sorts the modules of each module; Enter opens or closes a row.
class MomentModulesPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentModulesPage(QWidget* parent = nullptr);

    void setColors(const ThemeColors&) override { }
    QString text(bool onlySelected) const override;
    QTreeView& view() { return *m_view; }

protected:
    void refresh() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The module table of one device, built once, off the GUI thread.
    struct Slot
    {
        std::shared_ptr<const DeviceAnalysis> analysis;
        std::shared_ptr<const ModuleTable> modules;
    };
    struct Tree
    {
        std::shared_ptr<const ModuleTable> modules;
        std::vector<ModuleRow> rows;
    };

    static Tree treeAt(const Moment& moment, Slot& slot);
    void acceptTree(const Tree& tree);
    void openRows();
    /// The row at an index; null for the total.
    const ModuleRow* rowAt(const QModelIndex& index) const;
    QString nameOfRow(const ModuleRow& row) const;
    std::vector<bool> membersOf(const ModuleRow& row) const;
    void chooseRow();

    TableTreeModel* m_model;
    QTreeView* m_view;
    std::shared_ptr<Slot> m_slot = std::make_shared<Slot>();
    Tree m_tree;
};

} // namespace highwater::gui
