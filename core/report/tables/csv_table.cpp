#include "core/report/tables/csv_table.h"

#include "core/report/tables/table_writer.h"

namespace highwater {

namespace {

struct CellWriter
{
    TableWriter& writer;

    void operator()(std::monostate) const { writer.missing(); }
    void operator()(const std::string& text) const { writer.text(text); }
    void operator()(const Amount& amount) const { writer.number(amount.value); }
    void operator()(const Outline&) const { writer.missing(); }
};

} // namespace

std::string toCsv(const Table& table)
{
    std::vector<std::string> keys;
    for (const TableColumn& column : table.columns)
        keys.push_back(column.key);
    if (keys.empty())
        return {};
    std::string csv;
    const auto append = [&csv](std::string_view piece) {
        csv += piece;
        return true;
    };
    TableWriter writer(TableFormat::Csv, append, table.id, keys);
    for (const TableRow& row : table.rows)
        for (const Cell& cell : row)
            std::visit(CellWriter{writer}, cell.value);
    writer.finish();
    return csv;
}

} // namespace highwater
