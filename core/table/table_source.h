#pragma once

#include "core/table/table.h"

namespace highwater {

/// A column whose cells are made on demand.
struct SourceColumn
{
    TableColumn column;
    std::function<Cell(std::size_t row)> cell;
};

/// A table with so many rows that a renderer makes only those that it shows.
struct TableSource
{
    std::string id;
    std::string caption;
    std::vector<SourceColumn> columns;
    std::size_t rowCount = 0;
    TableRow total = {}; ///< As Table::total
};

TableSource sourceOf(Table table);
/// Returns the rows of these numbers, in this order.
Table tableOf(const TableSource& source, const std::vector<std::size_t>& rows);
/// Returns the table without the columns of these keys. `total` must be empty.
TableSource withoutColumns(TableSource source, std::initializer_list<std::string_view> keys);

} // namespace highwater
