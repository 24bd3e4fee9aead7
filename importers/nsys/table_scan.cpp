#include "importers/nsys/table_scan.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace highwater::nsys {

namespace {

/// Returns the query for a table. Its names come from this program, never from the file, so nothing needs
/// escaping.
std::string selectOf(
    const Database& database, std::string_view table, std::initializer_list<std::string_view> columns)
{
    std::string list;
    for (const std::string_view column : columns) {
        list += list.empty() ? "" : ", ";
        list += database.hasColumn(table, column) ? fmt::format("\"{}\"", column) : "NULL";
    }
    return fmt::format("SELECT {} FROM \"{}\"", list, table);
}

} // namespace

TableScan::TableScan(
    Database& database, std::string_view table, std::initializer_list<std::string_view> columns)
    : m_database(database)
    , m_table(table)
{
    if (database.has(table))
        m_statement.emplace(database, selectOf(database, table, columns));
}

bool TableScan::next()
{
    if (!m_statement)
        return false;
    if (m_statement->next()) {
        ++m_rowCount;
        m_database.countRow();
        return true;
    }
    if (m_statement->code() != SQLITE_OK)
        m_database.noteDamage(m_table, m_rowCount, m_statement->code());
    m_statement.reset();
    return false;
}

} // namespace highwater::nsys
