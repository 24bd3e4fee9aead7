#include "app/models/call_tree_model.h"

#include <algorithm>

#include "core/table/figure_table.h"

namespace highwater::gui {

CallTreeModel::CallTreeModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_figures(callTreeSource(nullptr))
{
}

void CallTreeModel::setTree(std::shared_ptr<const CallTree> tree)
{
    beginResetModel();
    m_tree = std::move(tree);
    m_figures = callTreeSource(m_tree);
    findMatches();
    fillRows();
    endResetModel();
}

void CallTreeModel::setSearch(const QString& text)
{
    if (text == m_search)
        return;
    beginResetModel();
    m_search = text;
    findMatches();
    fillRows();
    endResetModel();
}

void CallTreeModel::findMatches()
{
    m_matches = {};
    m_matched = {};
    if (!m_tree || m_search.isEmpty())
        return;
    m_matches = FunctionMatches(m_tree->functions, m_search);
    std::vector<bool> isBelowMatch(m_tree->nodes.size());
    for (std::uint32_t i = 1; i < m_tree->nodes.size(); ++i) {
        const CallNode& node = m_tree->nodes[i];
        const bool isMatching = isMatch(i);
        if (isMatching && !isBelowMatch[node.parent])
            m_matched += node.total;
        isBelowMatch[i] = isMatching || isBelowMatch[node.parent];
    }
}

bool CallTreeModel::isMatch(std::uint32_t node) const
{
    return m_matches.contains(m_tree->nodes[node].function);
}

/// Returns, by node, true for nodes that match the search or have a match above or below them.
std::vector<bool> CallTreeModel::shownNodes() const
{
    const std::vector<CallNode>& nodes = m_tree->nodes;
    std::vector<bool> below(nodes.size());
    std::vector<bool> shown(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i)
        below[i] = isMatch(i) || below[nodes[i].parent];
    for (std::size_t i = nodes.size(); i-- > 1;) {
        shown[i] = shown[i] || below[i];
        if (shown[i])
            shown[nodes[i].parent] = true;
    }
    return shown;
}

void CallTreeModel::fillRows()
{
    const std::size_t count = m_tree ? m_tree->nodes.size() : 0;
    m_children.resize(count);
    m_shownCount.assign(count, 0);
    m_rowOf.assign(count, 0);
    if (count == 0)
        return;
    const std::vector<bool> shown = m_search.isEmpty() ? std::vector<bool>(count, true) : shownNodes();
    for (std::size_t i = 0; i < count; ++i) {
        const CallNode& node = m_tree->nodes[i];
        std::uint32_t end = node.firstChild;
        for (std::uint32_t child = node.firstChild; child < node.firstChild + node.childCount; ++child)
            if (shown[child])
                m_children[end++] = child;
        m_shownCount[i] = end - node.firstChild;
    }
    sortRows();
}

bool CallTreeModel::isBefore(std::uint32_t a, std::uint32_t b) const
{
    const CallNode& left = m_tree->nodes[a];
    const CallNode& right = m_tree->nodes[b];
    switch (m_sortColumn) {
    case NameColumn: return m_tree->functionOf(left).name < m_tree->functionOf(right).name;
    case PlaceColumn: return m_tree->functionOf(left).file < m_tree->functionOf(right).file;
    case SelfColumn: return left.self.bytes < right.self.bytes;
    case CountColumn: return left.total.count < right.total.count;
    default: break;
    }
    return left.total.bytes < right.total.bytes;
}

void CallTreeModel::sortRows()
{
    for (std::size_t i = 0; i < m_tree->nodes.size(); ++i) {
        const auto begin = m_children.begin() + m_tree->nodes[i].firstChild;
        const auto end = begin + m_shownCount[i];
        std::sort(begin, end); // start from the tree's order, so that ties keep it
        std::stable_sort(begin, end, [this](std::uint32_t a, std::uint32_t b) {
            return m_sortOrder == Qt::AscendingOrder ? isBefore(a, b) : isBefore(b, a);
        });
        for (auto child = begin; child != end; ++child)
            m_rowOf[*child] = static_cast<std::uint32_t>(child - begin);
    }
}

void CallTreeModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    if (!m_tree)
        return;
    emit layoutAboutToBeChanged();
    const QModelIndexList oldIndexes = persistentIndexList();
    sortRows();
    QModelIndexList newIndexes;
    for (const QModelIndex& index : oldIndexes)
        newIndexes << createIndex(
            static_cast<int>(m_rowOf[nodeOf(index)]), index.column(), index.internalId());
    changePersistentIndexList(oldIndexes, newIndexes);
    emit layoutChanged();
}

std::uint32_t CallTreeModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : CallTree::kRoot;
}

QModelIndex CallTreeModel::indexOf(std::uint32_t node) const
{
    return node == CallTree::kRoot ? QModelIndex() : createIndex(static_cast<int>(m_rowOf[node]), 0, node);
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const std::size_t first = m_tree->nodes[nodeOf(parent)].firstChild;
    return createIndex(row, column, m_children[first + static_cast<std::size_t>(row)]);
}

QModelIndex CallTreeModel::parent(const QModelIndex& index) const
{
    return index.isValid() ? indexOf(m_tree->nodes[nodeOf(index)].parent) : QModelIndex();
}

int CallTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!m_tree || parent.column() > 0)
        return 0;
    return static_cast<int>(m_shownCount[nodeOf(parent)]);
}

int CallTreeModel::columnCount(const QModelIndex&) const
{
    return FigureColumnCount;
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const std::uint32_t node = nodeOf(index);
    if (role == MatchRole)
        return isMatch(node);
    if (role == Qt::DisplayRole && index.column() == SelfColumn && m_tree->nodes[node].self.count == 0)
        return {}; // most functions allocate nothing themselves
    const SourceColumn& figures = m_figures.columns[static_cast<std::size_t>(index.column())];
    return cellData(figures.column, figures.cell(node), role);
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isColumn = orientation == Qt::Horizontal && section >= 0 && section < FigureColumnCount;
    return isColumn ? titleData(m_figures.columns[static_cast<std::size_t>(section)].column, role)
                    : QVariant();
}

} // namespace highwater::gui
