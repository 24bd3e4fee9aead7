#pragma once

#include "core/table/table.h"

namespace highwater {

/// A column whose cells are computed when they are needed.
struct SourceColumn
{
    TableColumn column;
    std::function<Cell(std::size_t row)> cell;
};

/// A table that may have very many rows: a renderer asks only for the cells that it shows.
struct TableSource
{
    std::string id;
    std::string caption;
    std::vector<SourceColumn> columns;
    std::size_t rowCount = 0;
    TableRow total = {}; ///< As Table::total
};

/// Returns a source of the table's rows. It has no `leftOut` and no `endsWithRest`.
TableSource sourceOf(Table table);
/// Returns a table of the rows with these indices, in this order.
Table tableOf(const TableSource& source, const std::vector<std::size_t>& rows);
/// Returns the table without the columns of these keys. `total` must be empty.
TableSource withoutColumns(TableSource source, std::initializer_list<std::string_view> keys);
/// As `showsTotal` of a table.
bool showsTotal(const TableSource& source);

} // namespace highwater
