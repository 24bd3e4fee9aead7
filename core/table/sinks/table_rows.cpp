#include "core/table/sinks/table_rows.h"

#include "core/base/json.h"
#include "core/table/sinks/table_writer.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

struct CellWriter
{
    TableCells& target;

    void operator()(std::monostate) const { target.missing(); }
    void operator()(const std::string& text) const { target.text(text); }
    void operator()(const Amount& amount) const { target.number(amount.value); }
    void operator()(const Outline&) const { target.missing(); }
};

struct CellAsJson
{
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const Amount& amount) const { return amount.value; }
    Json operator()(const Outline& outline) const { return outline.totals; }
};

} // namespace

void writeRows(const Table& table, TableCells& target)
{
    for (const TableRow& row : table.rows)
        for (const Cell& cell : row)
            std::visit(CellWriter{target}, cell.value);
}

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
    writeRows(table, writer);
    writer.finish();
    return csv;
}

nlohmann::ordered_json cellJson(const Cell& cell)
{
    return std::visit(CellAsJson{}, cell.value);
}

nlohmann::ordered_json rowJson(const Table& table, const TableRow& row)
{
    Json json;
    for (std::size_t i = 0; i < row.size() && i < table.columns.size(); ++i)
        json[table.columns[i].key] = cellJson(row[i]);
    return json;
}

nlohmann::ordered_json rowsJson(const Table& table)
{
    Json rows = Json::array();
    for (const TableRow& row : table.rows)
        rows.push_back(rowJson(table, row));
    return rows;
}

} // namespace highwater
