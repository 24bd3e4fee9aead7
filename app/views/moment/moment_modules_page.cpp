#include "app/views/moment/moment_modules_page.h"

#include <QHeaderView>
#include <QTableView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/plain_table.h"
#include "core/table/module_tables.h"

namespace highwater::gui {

MomentModulesPage::MomentModulesPage(QWidget* parent)
    : MomentPage(parent)
    , m_model(new TableModel(this))
    , m_table(makePlainTable(*m_model, QStringLiteral("momentModules"), tr("Allocations by module"), this))
{
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    layColumn(this, {m_table}, {{10, 0, 0, 0}, -1});
    setFocusProxy(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &MomentModulesPage::chooseRow);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        pinLargest(membersOf(m_tree.rows[m_model->rowAt(index.row())]));
    });
}

QString MomentModulesPage::text(bool onlySelected) const
{
    return tableText(*m_table, onlySelected && m_table->selectionModel()->hasSelection());
}

MomentModulesPage::Tree MomentModulesPage::treeAt(const Moment& moment, Slot& slot)
{
    const DeviceAnalysis& analysis = *moment.analysis;
    if (slot.analysis != moment.analysis) {
        slot.modules
            = std::make_shared<const ModuleTable>(*analysis.trace, analysis.allocations, analysis.sites);
        slot.analysis = moment.analysis;
    }
    return {slot.modules,
        moduleTree(*slot.modules, analysis.allocations, analysis.categories, moment.set.allocations)};
}

void MomentModulesPage::refresh()
{
    if (!wanted()) {
        m_slot = std::make_shared<Slot>();
        return acceptTree({});
    }
    m_model->setFilter(options().search);
    compute([slot = m_slot](const Moment& moment, const MomentOptions&) { return treeAt(moment, *slot); },
        [this](const Tree& tree) { acceptTree(tree); });
}

void MomentModulesPage::acceptTree(const Tree& tree)
{
    m_tree = tree;
    m_model->setTable(tree.modules ? moduleTreeTable(*tree.modules, tree.rows) : Table());
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setStretchLastSection(true);
}

std::vector<bool> MomentModulesPage::membersOf(const ModuleRow& row) const
{
    const ModuleTable& modules = *m_tree.modules;
    std::vector<bool> members(shown()->set.allocations.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        const AllocationIndex allocation = shown()->set.allocations[i];
        ModuleId at = modules.of(allocation);
        if (row.module.isNone()) {
            members[i] = at.isNone() && modules.reason(allocation) == row.reason;
            continue;
        }
        while (!at.isNone() && at != row.module)
            at = modules.node(at).caller;
        members[i] = at == row.module;
    }
    return members;
}

void MomentModulesPage::chooseRow()
{
    if (!shown() || !m_tree.modules)
        return;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.isEmpty())
        emit highlightRequested(nullptr);
    else
        highlight(membersOf(m_tree.rows[m_model->rowAt(rows.first().row())]));
}

} // namespace highwater::gui
