#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "importers/nsys/database.h"

namespace highwater::nsys {

/// Reads the requested columns of all rows of a table, in file order. If the export lacks a column, its
/// values are NULL; if it lacks the table, there are no rows. Damage is noted in the database under the
/// table's name.
class TableScan
{
public:
    TableScan(Database& database, std::string_view table, std::initializer_list<std::string_view> columns);

    /// Moves to the next row. Returns false at the end, after damage, and once the database has ended
    /// reading; there are no values then.
    bool next();

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
    std::optional<Statement> m_statement; ///< unset if there is no such table
    std::int64_t m_rowCount = 0;
};

} // namespace highwater::nsys
