#include "core/table/table_source.h"

#include <algorithm>
#include <memory>

namespace highwater {

TableSource sourceOf(Table table)
{
    const auto shared = std::make_shared<const Table>(std::move(table));
    TableSource source{shared->id, shared->caption, {}, shared->rows.size(), shared->total};
    for (std::size_t i = 0; i < shared->columns.size(); ++i)
        source.columns.push_back(
            {shared->columns[i], [shared, i](std::size_t row) { return shared->rows[row][i]; }});
    return source;
}

Table tableOf(const TableSource& source, const std::vector<std::size_t>& rows)
{
    Table table{source.id, source.caption, {}, {}, source.total, {}};
    for (const SourceColumn& column : source.columns)
        table.columns.push_back(column.column);
    for (const std::size_t row : rows) {
        TableRow& cells = table.rows.emplace_back();
        for (const SourceColumn& column : source.columns)
            cells.push_back(column.cell(row));
    }
    return table;
}

TableSource withoutColumns(TableSource source, std::initializer_list<std::string_view> keys)
{
    std::erase_if(source.columns, [keys](const SourceColumn& column) {
        return std::ranges::find(keys, column.column.key) != keys.end();
    });
    return source;
}

bool showsTotal(const TableSource& source)
{
    return !source.total.empty() && source.rowCount != 1;
}

} // namespace highwater
