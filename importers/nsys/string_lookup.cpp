#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

StringLookup::StringLookup(Database& database)
    : m_statement(database,
        database.hasColumn("StringIds", "id") && database.hasColumn("StringIds", "value")
            ? "SELECT value FROM StringIds WHERE id = ?1 LIMIT 1"
            : "SELECT '' WHERE ?1 IS NULL")
{
}

std::string StringLookup::find(std::int64_t id)
{
    m_statement.restartWith(id);
    return m_statement.next() ? std::string(m_statement.text(0)) : std::string();
}

} // namespace highwater::nsys
