#include "app/views/moment/moment_modules_page.h"

#include <algorithm>
#include <map>

#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/share_delegate.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/table/module_tables.h"

namespace highwater::gui {

namespace {
constexpr int kWholeModule = 260; ///< width of a name that is not cut in a narrow window

/// Returns the largest allocation of each row, also in the modules that it calls.
std::vector<AllocationIndex> largestInRows(const ModuleTable& modules, const std::vector<ModuleRow>& rows,
    const AllocationTable& allocations, const std::vector<AllocationIndex>& given)
{
    std::vector<std::size_t> rowOf(modules.size(), rows.size());
    std::map<NoModule, std::size_t> rowOfReason;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].module.isNone())
            rowOfReason[rows[row].reason] = row;
        else
            rowOf[rows[row].module.index()] = row; // the module itself comes after the row of like modules
    }
    std::vector<AllocationIndex> examples(rows.size(), Selection::kNone);
    const auto add = [&](std::size_t row, AllocationIndex i) {
        AllocationIndex& example = examples[row];
        if (example == Selection::kNone || allocations.bytes(i) > allocations.bytes(example))
            example = i;
    };
    for (const AllocationIndex i : given) {
        const ModuleId module = modules.of(i);
        const auto reason = module.isNone() ? rowOfReason.find(modules.reason(i)) : rowOfReason.end();
        const std::size_t row = !module.isNone() ? rowOf[module.index()]
            : reason != rowOfReason.end()        ? reason->second
                                                 : rows.size();
        if (row < rows.size())
            add(row, i);
    }
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t called = row + 1; called < endOfRow(rows, row); ++called)
            if (examples[called] != Selection::kNone)
                add(row, examples[called]);
    return examples;
}

} // namespace

MomentModulesPage::MomentModulesPage(const BandView& bands, QWidget* parent)
    : MomentPage(parent)
    , m_bands(bands)
    , m_model(new TableTreeModel(this))
    , m_caption(new ElidedLabel(this))
    , m_view(new QTreeView(this))
    , m_delegate(new ShareDelegate(this))
{
    named(m_view, "momentModules", tr("Allocations by module"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(m_delegate);
    m_delegate->setColorOf([this](const QModelIndex& index) { return colorOf(index); });
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setTextElideMode(Qt::ElideLeft); // the file and its line are at the end
    m_view->header()->setStretchLastSection(false);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder); // at first, layers in their order
    m_view->installEventFilter(this);
    named(m_caption, "momentModulesCaption");
    m_caption->setProperty("quiet", true);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setContentsMargins(2, 0, 12, 4);
    layColumn(this, {m_caption, {m_view, 1}}, {{10, 0, 0, 0}, 0});
    setFocusProxy(m_view);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &MomentModulesPage::chooseRow);
    connect(m_view, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (isRow(index))
            pinLargest(membersOf(m_model->rowOf(index)));
    });
    connect(m_view, &QTreeView::expanded, this, &MomentModulesPage::fitNames);
    connect(&bands, &BandView::changed, m_view->viewport(), qOverload<>(&QWidget::update));
}

QString MomentModulesPage::text(bool onlySelected) const
{
    return m_caption->text() + QLatin1Char('\n')
        + treeText(*m_view, onlySelected && m_view->selectionModel()->hasSelection());
}

void MomentModulesPage::setColors(const ThemeColors& colors)
{
    m_model->setColors(colors);
    m_delegate->setColors(colors);
    m_view->viewport()->update();
}

/// Returns the colour of the row's largest module if the timeline colours modules, else of its largest
/// category, as in the table of groups; nullopt for the total.
std::optional<ThemedColor> MomentModulesPage::colorOf(const QModelIndex& index) const
{
    if (!isRow(index) || !shown())
        return std::nullopt;
    const std::size_t row = m_model->rowOf(index);
    const std::shared_ptr<const BandPalette> palette = m_bands.paletteFor(shown()->analysis);
    if (palette->groups()->mode == BandMode::Module && m_tree.examples[row] != Selection::kNone)
        return palette->themedShade(m_tree.examples[row]);
    const CategoryBytes& bytes = m_tree.rows[row].all.byCategory;
    return categoryColor(shown()->analysis->study.guessed,
        static_cast<Category>(std::ranges::max_element(bytes) - bytes.begin()));
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
    std::vector<ModuleRow> rows
        = moduleTree(*slot.modules, analysis.allocations, analysis.categories, moment.set.allocations);
    std::vector<AllocationIndex> examples
        = largestInRows(*slot.modules, rows, analysis.allocations, moment.set.allocations);
    return {slot.modules, std::move(rows), std::move(examples)};
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
    Table table = tree.modules ? moduleTreeTable(*tree.modules, tree.rows, ModuleTitles::Plain) : Table();
    m_caption->setText(toQString(table.caption));
    m_caption->setVisible(!table.caption.empty());
    const QHeaderView& header = *m_view->header();
    const std::string sorted = m_model->keyOf(header.sortIndicatorSection());
    m_model->setTable(std::move(table), depths);
    const int column = m_model->column(sorted);
    if (tree.modules && column != header.sortIndicatorSection())
        m_view->sortByColumn(column, header.sortIndicatorOrder()); // the columns have changed
    openRows();
    for (int figures = 1; figures < m_model->columnCount(); ++figures)
        m_view->resizeColumnToContents(figures);
    fitNames();
}

/// Opens the first module, and the modules in it as long as each contains only one; with a search, opens all
/// rows.
void MomentModulesPage::openRows()
{
    if (!options().search.isEmpty())
        return m_view->expandAll();
    for (QModelIndex open = m_model->index(0, 0); open.isValid();
         open = m_model->rowCount(open) == 1 ? m_model->index(0, 0, open) : QModelIndex())
        m_view->expand(open);
}

/// Makes room for the names of all open rows, up to two fifths of the width or `kWholeModule`, so that bytes
/// and shares stay on screen.
void MomentModulesPage::fitNames()
{
    m_view->resizeColumnToContents(0);
    const int widest = std::max(kWholeModule, m_view->viewport()->width() * 2 / 5);
    m_view->setColumnWidth(0, std::min(m_view->columnWidth(0), widest));
}

/// Returns the allocations of the row's module, or of its like modules, and of the modules that these call,
/// as flags by position in the set.
std::vector<bool> MomentModulesPage::membersOf(std::size_t row) const
{
    const ModuleTable& modules = *m_tree.modules;
    const ModuleRow& chosen = m_tree.rows[row];
    std::vector<bool> isChosen(modules.size());
    const std::size_t end = endOfRow(m_tree.rows, row);
    for (std::size_t i = row; i < end; ++i)
        if (!chosen.module.isNone() && (i == row || m_tree.rows[i].depth == chosen.depth + 1))
            isChosen[m_tree.rows[i].module.index()] = true;
    std::vector<bool> members(shown()->set.allocations.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        const AllocationIndex allocation = shown()->set.allocations[i];
        ModuleId ancestor = modules.of(allocation);
        if (chosen.module.isNone()) {
            members[i] = ancestor.isNone() && modules.reason(allocation) == chosen.reason;
            continue;
        }
        while (!ancestor.isNone() && !isChosen[ancestor.index()])
            ancestor = modules.node(ancestor).caller;
        members[i] = !ancestor.isNone();
    }
    return members;
}

void MomentModulesPage::chooseRow()
{
    if (!shown() || !m_tree.modules)
        return;
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (!rows.isEmpty() && isRow(rows.first())) {
        const std::size_t row = m_model->rowOf(rows.first());
        highlight(membersOf(row), toQString(shortPathOf(*m_tree.modules, m_tree.rows[row])));
    } else
        emit highlightRequested(nullptr);
}

} // namespace highwater::gui
