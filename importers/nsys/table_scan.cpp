#include "importers/nsys/table_scan.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <sqlite3.h>

namespace highwater::nsys {

namespace {

/// Names come from our own tables of columns, never from the file: nothing in them needs escaping.
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

Statement::Statement(Database& database, const std::string& sql)
    : m_database(database)
{
    if (!database.goesOn())
        return;
    m_code = sqlite3_prepare_v3(
        database.handle(), sql.c_str(), static_cast<int>(sql.size()), 0, &m_statement, nullptr);
}

Statement::~Statement()
{
    sqlite3_finalize(m_statement);
}

bool Statement::next()
{
    if (!m_statement || m_atEnd || !m_database.goesOn())
        return false;
    const int step = sqlite3_step(m_statement);
    if (step == SQLITE_ROW)
        return true;
    m_atEnd = true;
    m_code = step == SQLITE_DONE ? SQLITE_OK : step;
    return false;
}

void Statement::restartWith(std::int64_t value)
{
    if (!m_statement)
        return;
    sqlite3_reset(m_statement);
    sqlite3_bind_int64(m_statement, 1, value);
    m_atEnd = false;
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

bool Statement::isInteger(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_INTEGER;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::optional<std::int64_t> Statement::optionalInteger(int column) const
{
    return isInteger(column) ? std::optional(integer(column)) : std::nullopt;
}

std::string_view Statement::text(int column) const
{
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    if (!bytes)
        return {};
    const auto length = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    std::size_t size = std::min(length, kMaxTextBytes);
    if (const void* end = std::memchr(bytes, '\0', size))
        size = static_cast<std::size_t>(static_cast<const char*>(end) - bytes);
    else
        while (size > 0 && size < length && (bytes[size] & 0xC0) == 0x80)
            --size; // not in the middle of a character
    return {bytes, size};
}

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
        ++m_rows;
        m_database.countRow();
        return true;
    }
    if (m_statement->code() != SQLITE_OK)
        m_database.noteDamage(m_table, m_rows, m_statement->code());
    m_statement.reset();
    return false;
}

} // namespace highwater::nsys
