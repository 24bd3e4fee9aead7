#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "importers/nsys/database.h"

namespace highwater::nsys {

/// All rows of one table, in the order of the file, with the columns asked for; columns and tables that the
/// export does not have read as NULL and as empty. Damage is noted in the database, under the table's name.
class TableScan
{
public:
    TableScan(Database& database, std::string_view table, std::initializer_list<std::string_view> columns);

    /// False at the end, at damage, and when the database gave up.
    bool next();
    std::int64_t rowsRead() const { return m_rows; }

    bool isNull(int column) const { return m_statement->isNull(column); }
    bool isInteger(int column) const { return m_statement->isInteger(column); }
    std::int64_t integer(int column) const { return m_statement->integer(column); }
    std::optional<std::int64_t> optionalInteger(int column) const
    {
        return m_statement->optionalInteger(column);
    }
    std::string_view text(int column) const { return m_statement->text(column); }

private:
    Database& m_database;
    std::string m_table;
    std::optional<Statement> m_statement; ///< none where there is no such table
    std::int64_t m_rows = 0;
};

} // namespace highwater::nsys
