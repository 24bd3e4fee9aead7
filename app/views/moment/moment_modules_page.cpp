#include "app/views/moment/moment_modules_page.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/table/module_tables.h"

namespace highwater::gui {

MomentModulesPage::MomentModulesPage(QWidget* parent)
    : MomentPage(parent)
    , m_model(new TableTreeModel(this))
    , m_view(new QTreeView(this))
{
    named(m_view, "momentModules", tr("Allocations by module"));
    m_view->setModel(m_model);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder); // at first, layers in their order
    m_view->installEventFilter(this);
    layColumn(this, {m_view}, {{10, 0, 0, 0}, -1});
    setFocusProxy(m_view);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &MomentModulesPage::chooseRow);
    connect(m_view, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const ModuleRow* row = rowAt(index))
            pinLargest(membersOf(*row));
    });
}

QString MomentModulesPage::text(bool onlySelected) const
{
    return treeText(*m_view, onlySelected && m_view->selectionModel()->hasSelection());
}

bool MomentModulesPage::eventFilter(QObject* watched, QEvent* event)
{
    const auto* key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event) : nullptr;
    if (watched != m_view || !key || (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter))
        return MomentPage::eventFilter(watched, event);
    const QModelIndex current = m_view->currentIndex().siblingAtColumn(0);
    m_view->setExpanded(current, !m_view->isExpanded(current));
    return true;
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
    std::vector<int> depths;
    for (const ModuleRow& row : tree.rows)
        depths.push_back(row.depth);
    m_model->setTable(
        tree.modules ? moduleTreeTable(*tree.modules, tree.rows, ModuleTitles::Plain) : Table(), depths);
    openRows();
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_view->resizeColumnToContents(column);
}

/// Opens the outermost modules; with a search, all rows.
void MomentModulesPage::openRows()
{
    if (options().search.isEmpty())
        m_view->expandToDepth(0);
    else
        m_view->expandAll();
}

const ModuleRow* MomentModulesPage::rowAt(const QModelIndex& index) const
{
    return index.isValid() && !m_model->isTotal(index) ? &m_tree.rows[m_model->rowOf(index)] : nullptr;
}

/// Returns "model / model[3]".
QString MomentModulesPage::nameOfRow(const ModuleRow& row) const
{
    if (row.module.isNone())
        return toQString(titleOf(row.reason));
    return toQString(m_tree.modules->shortPath(row.module, true));
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
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (const ModuleRow* row = rows.isEmpty() ? nullptr : rowAt(rows.first()))
        highlight(membersOf(*row), nameOfRow(*row));
    else
        emit highlightRequested(nullptr);
}

} // namespace highwater::gui
