#include "app/views/moment/moment_tree_page.h"

#include <algorithm>

#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeView>

#include "app/views/parts/arrange.h"
#include "app/views/parts/item_text.h"
#include "app/views/parts/share_delegate.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
/// Number of opened rows after which a search opens no more; nobody reads more.
constexpr int kMaxOpened = 200;
constexpr int kBarPercent = 25; ///< of the width, for the column with the bars
} // namespace

MomentTreePage::MomentTreePage(CallDirection direction, QWidget* parent)
    : MomentPage(parent)
    , m_direction(direction)
    , m_model(new CallTreeModel(this))
    , m_tree(new QTreeView(this))
    , m_delegate(new ShareDelegate(this))
{
    const bool bottomUp = direction == CallDirection::BottomUp;
    m_tree->setObjectName(bottomUp ? QStringLiteral("momentBottomUp") : QStringLiteral("momentTopDown"));
    m_tree->setAccessibleName(
        bottomUp ? tr("Functions that allocate, and their callers") : tr("Calls that allocate"));
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(m_delegate);
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setSortingEnabled(true);
    m_tree->sortByColumn(BytesColumn, Qt::DescendingOrder);
    m_tree->installEventFilter(this);
    const int width = m_tree->fontMetrics().horizontalAdvance(QStringLiteral("Allocations ▾ mm"));
    m_tree->header()->setStretchLastSection(false);
    for (int column = 1; column < FigureColumnCount; ++column)
        m_tree->setColumnWidth(column, width);
    m_tree->setColumnHidden(PlaceColumn, true); // the name has the file and its line
    m_tree->header()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    layColumn(this, {m_tree}, {{10, 0, 0, 0}, -1});
    setFocusProxy(m_tree);
    connect(
        m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MomentTreePage::chooseRows);
    connect(m_tree, &QTreeView::doubleClicked, this, [this] { pinLargest(selectedMembers()); });
}

void MomentTreePage::setColors(const ThemeColors& colors)
{
    m_delegate->setColors(colors);
    m_tree->viewport()->update();
}

QString MomentTreePage::text(bool onlySelected) const
{
    return treeText(*m_tree, onlySelected);
}

void MomentTreePage::refresh()
{
    if (!wanted()) {
        m_model->setTree(nullptr);
        return;
    }
    if (m_model->search() != options().search) {
        m_model->setSearch(options().search);
        openMatches();
        showMatchCount();
    }
    compute([direction = m_direction](const Moment& moment,
                const MomentOptions& options) { return treeOf(moment, options, direction); },
        [this](const std::shared_ptr<const CallTree>& tree) { acceptTree(tree); });
}

void MomentTreePage::acceptTree(std::shared_ptr<const CallTree> tree)
{
    m_model->setTree(std::move(tree));
    openMatches();
    showMatchCount();
}

void MomentTreePage::showMatchCount()
{
    setAnswer(options().search.isEmpty() || !m_model->tree()
            ? QString()
            : tr("Found %1: %2")
                  .arg(countedText(static_cast<std::int64_t>(m_model->matchCount()), "function", "functions"),
                      bytesText(m_model->matched().bytes)));
}

/// Opens the path with the most bytes; with a search, the paths to the first matches.
void MomentTreePage::openMatches()
{
    if (!m_model->tree())
        return;
    if (options().search.isEmpty()) {
        openHeaviestPath({});
        return;
    }
    int opened = 0;
    const auto count = static_cast<std::uint32_t>(m_model->tree()->nodes.size());
    for (std::uint32_t node = 1; node < count && opened < kMaxOpened; ++node) {
        if (!m_model->isMatch(node))
            continue;
        for (QModelIndex ancestor = m_model->indexOf(node).parent();
             ancestor.isValid() && !m_tree->isExpanded(ancestor); ancestor = ancestor.parent(), ++opened)
            m_tree->expand(ancestor);
    }
}

/// Opens the path from `root` that always goes on to the child with the most bytes. Below the first child, it
/// ends where the child has less than half of its parent's bytes.
void MomentTreePage::openHeaviestPath(const QModelIndex& root)
{
    QModelIndex current = root.siblingAtColumn(0);
    const CallTree& tree = *m_model->tree();
    while (m_model->rowCount(current) > 0) {
        QModelIndex heaviest = m_model->index(0, 0, current);
        for (int row = 1; row < m_model->rowCount(current); ++row) {
            const QModelIndex candidate = m_model->index(row, 0, current);
            if (tree.nodes[m_model->nodeOf(candidate)].total.bytes
                > tree.nodes[m_model->nodeOf(heaviest)].total.bytes)
                heaviest = candidate;
        }
        m_tree->expand(current);
        const CallNode& parent = tree.nodes[m_model->nodeOf(current)];
        if (current != root && tree.nodes[m_model->nodeOf(heaviest)].total.bytes * 2 < parent.total.bytes)
            break;
        current = heaviest;
    }
    if (root.isValid()) {
        m_tree->scrollTo(current);
        m_tree->scrollTo(root);
    }
}

void MomentTreePage::toggle(const QModelIndex& index)
{
    if (m_tree->isExpanded(index))
        m_tree->collapse(index);
    else
        openHeaviestPath(index);
}

/// Gives the bars of the shares their part of the width.
void MomentTreePage::fitBars()
{
    const int least = m_tree->columnWidth(BytesColumn);
    m_tree->setColumnWidth(ShareColumn, std::max(least, m_tree->width() * kBarPercent / 100));
}

bool MomentTreePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_tree && event->type() == QEvent::Resize)
        fitBars();
    if (watched != m_tree || event->type() != QEvent::KeyPress || !m_model->tree())
        return MomentPage::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(0);
    const bool heaviest = key == Qt::Key_Right && current.isValid() && !m_tree->isExpanded(current)
        && m_model->rowCount(current);
    if (heaviest)
        openHeaviestPath(current);
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        toggle(current);
    else
        return MomentPage::eventFilter(watched, event);
    return true;
}

std::vector<bool> MomentTreePage::selectedMembers() const
{
    std::vector<bool> chosen(m_model->tree()->nodes.size());
    for (const QModelIndex& index : m_tree->selectionModel()->selectedRows())
        chosen[m_model->nodeOf(index)] = true;
    return membersOf(*m_model->tree(), chosen);
}

void MomentTreePage::chooseRows()
{
    if (!m_model->tree() || !shown())
        return;
    if (m_tree->selectionModel()->hasSelection())
        highlight(selectedMembers(), nameOf(*m_tree->selectionModel()));
    else
        emit highlightRequested(nullptr);
}

} // namespace highwater::gui
