#pragma once

#include "app/models/table_model.h"
#include "app/views/moment/moment_page.h"
#include "core/analysis/modules/module_tree.h"

class QTableView;

namespace highwater::gui {

/// The allocations of a moment by the modules that made them, as an indented tree with bytes by category.
class MomentModulesPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentModulesPage(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override { m_model->setColors(colors); }
    QString text(bool onlySelected) const override;
    QTableView& table() { return *m_table; }
    /// The modules on screen, from the top.
    const std::vector<ModuleRow>& rows() const { return m_tree.rows; }

protected:
    void refresh() override;

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
    std::vector<bool> membersOf(const ModuleRow& row) const;
    void chooseRow();

    TableModel* m_model;
    QTableView* m_table;
    std::shared_ptr<Slot> m_slot = std::make_shared<Slot>();
    Tree m_tree;
};

} // namespace highwater::gui
