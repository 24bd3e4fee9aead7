#pragma once

#include "app/models/table_tree_model.h"
#include "app/views/moment/moment_page.h"
#include "core/analysis/modules/module_tree.h"

class QTreeView;

namespace highwater::gui {

class ElidedLabel;
class ShareDelegate;

/// The allocations of a moment by the modules that made them, as a tree with bytes, share and bytes by
/// category; like modules are one row that opens. The line above says where most of the memory is, and if
/// the file has no names of modules. A click on a column title sorts the modules within each module; Enter
/// opens or closes a row. The bars have the colours of modules while the timeline has, else those of
/// categories. `bands` must outlive the page.
class MomentModulesPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentModulesPage(const BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
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
        std::vector<AllocationIndex> examples; ///< by row, its largest allocation
    };

    static Tree treeAt(const Moment& moment, Slot& slot);
    void acceptTree(const Tree& tree);
    std::optional<ThemedColor> colorOf(const QModelIndex& index) const;
    void openRows();
    void fitNames();
    /// True if the index is a row of the tree, and not the total.
    bool isRow(const QModelIndex& index) const { return index.isValid() && !m_model->isTotal(index); }
    std::vector<bool> membersOf(std::size_t row) const;
    void chooseRow();

    const BandView& m_bands;
    TableTreeModel* m_model;
    ElidedLabel* m_caption;
    QTreeView* m_view;
    ShareDelegate* m_delegate;
    std::shared_ptr<Slot> m_slot = std::make_shared<Slot>();
    Tree m_tree;
};

} // namespace highwater::gui
