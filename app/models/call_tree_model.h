#pragma once

#include <memory>
#include <vector>

#include <QAbstractItemModel>

#include "app/models/cell_data.h"
#include "app/models/function_matches.h"
#include "core/analysis/stacks/call_tree.h"
#include "core/table/table_source.h"

namespace highwater::gui {

/// Columns of the call tree. Flat tables begin with the same three; the later ones depend on the table.
enum FigureColumn
{
    NameColumn,
    BytesColumn,
    ShareColumn, ///< share of the whole set
    SelfColumn,
    CountColumn,
    PlaceColumn,
    FigureColumnCount
};

/// A call tree as an item model. The tree is complete from the start, and children are ranges of nodes, so
/// no items are created. Sorting permutes the shown children of each node: O(nodes × log(nodes)). Searching
/// also scans the name and file of every function, and hides nodes. The model shares the tree.
class CallTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    explicit CallTreeModel(QObject* parent = nullptr);

    /// A null tree empties the model. The search is kept.
    void setTree(std::shared_ptr<const CallTree> tree);
    const std::shared_ptr<const CallTree>& tree() const { return m_tree; }
    /// Shows the nodes whose function name or file contains the text (case-insensitive), with all nodes
    /// above and below them. An empty text shows everything.
    void setSearch(const QString& text);
    const QString& search() const { return m_search; }
    /// Returns the number of functions in the tree that match the search.
    std::size_t matchCount() const { return m_matches.count(); }
    /// Total weight of the call paths through a matching function. A path with several matches counts once.
    CallWeight matched() const { return m_matched; }

    /// Returns the node of an index; the root for an invalid one.
    std::uint32_t nodeOf(const QModelIndex& index) const;
    /// Returns the index of a node, which must be shown: row 0 is returned for a node that the search hides.
    QModelIndex indexOf(std::uint32_t node) const;
    /// True if the function of the node matches the search. There must be a tree.
    bool isMatch(std::uint32_t node) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    void findMatches();
    void fillRows();
    void sortRows();
    std::vector<bool> shownNodes() const;
    bool isBefore(std::uint32_t a, std::uint32_t b) const;

    std::shared_ptr<const CallTree> m_tree;
    TableSource m_figures; ///< figures of the nodes
    QString m_search;
    int m_sortColumn = BytesColumn;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    FunctionMatches m_matches;
    CallWeight m_matched;
    std::vector<std::uint32_t> m_children; ///< in the tree's ranges of children, the shown ones first in each
    std::vector<std::uint32_t> m_shownCount; ///< number of shown children, by node
    std::vector<std::uint32_t> m_rowOf; ///< by node
};

} // namespace highwater::gui
