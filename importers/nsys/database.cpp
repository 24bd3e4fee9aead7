#include "importers/nsys/database.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/base/text_format.h"
#include "core/base/valid_text.h"
#include "importers/nsys/database_file.h"
#include "importers/source/limit_error.h"

namespace highwater::nsys {

namespace {

/// Number of steps of SQLite's virtual machine between two checks for cancellation, which are some
/// milliseconds apart.
constexpr int kStepsBetweenChecks = 100'000;
constexpr std::size_t kMaxTables = 5'000;

struct Limit
{
    int id;
    int value;
};

/// Limits of SQLite that are far above what exports need, and far below what a hostile file could demand.
constexpr std::array kLimits = {Limit{SQLITE_LIMIT_LENGTH, 64 << 20}, Limit{SQLITE_LIMIT_SQL_LENGTH, 200'000},
    Limit{SQLITE_LIMIT_COLUMN, 500}, Limit{SQLITE_LIMIT_EXPR_DEPTH, 50},
    Limit{SQLITE_LIMIT_COMPOUND_SELECT, 5}, Limit{SQLITE_LIMIT_VDBE_OP, 25'000},
    Limit{SQLITE_LIMIT_FUNCTION_ARG, 20}, Limit{SQLITE_LIMIT_ATTACHED, 0},
    Limit{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}, Limit{SQLITE_LIMIT_VARIABLE_NUMBER, 10},
    Limit{SQLITE_LIMIT_TRIGGER_DEPTH, 1}, Limit{SQLITE_LIMIT_WORKER_THREADS, 0}};

void setOption(sqlite3* handle, int option, int on)
{
    sqlite3_db_config(handle, option, on, nullptr);
}

/// Escapes all characters except letters, digits and the usual path characters as %XX. Removes extra slashes
/// at the front, which would be read as a host name.
std::string uriOf(const std::string& path)
{
    std::string uri = "file:";
    std::size_t start = 0;
    while (path.substr(start).starts_with("//"))
        ++start;
    for (const char c : path.substr(start)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
            || (byte >= '0' && byte <= '9') || c == '/' || c == '.' || c == '-' || c == '_';
        uri += isPlain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return uri + "?mode=ro&immutable=1";
}

} // namespace

Database::Database(const ImportOptions& options)
    : m_progress(options.progress)
    , m_stop(options.stop)
    , m_maxMemoryBytes(options.maxMemoryBytes)
{
}

Database::~Database()
{
    sqlite3_close(m_handle);
}

Result<std::unique_ptr<Database>> Database::openFile(const std::string& path, const ImportOptions& options)
{
    std::unique_ptr<Database> database(new Database(options));
    database->m_fileBytes = fileBytes(path);
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int code = sqlite3_open_v2(uriOf(path).c_str(), &database->m_handle, flags, nullptr);
    if (code != SQLITE_OK)
        return tl::unexpected<Error>(database->errorOf(code));
    if (Result<void> ready = database->prepare(); !ready)
        return tl::unexpected<Error>(ready.error());
    return database;
}

Result<std::unique_ptr<Database>> Database::openBytes(
    std::string content, std::optional<Error> missing, const ImportOptions& options)
{
    std::unique_ptr<Database> database(new Database(options));
    database->m_content = std::move(content);
    database->m_missing = std::move(missing);
    database->m_damage = database->m_missing;
    database->m_fileBytes = database->m_content.size();
    database->m_usedMemoryBytes = database->m_fileBytes;
    const int flags
        = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(":memory:", &database->m_handle, flags, nullptr);
    const auto size = static_cast<sqlite3_int64>(database->m_content.size());
    if (code == SQLITE_OK)
        code = sqlite3_deserialize(database->m_handle, "main",
            reinterpret_cast<unsigned char*>(database->m_content.data()), size, size,
            SQLITE_DESERIALIZE_READONLY);
    if (code != SQLITE_OK)
        return tl::unexpected<Error>(database->errorOf(code));
    if (Result<void> ready = database->prepare(); !ready)
        return tl::unexpected<Error>(ready.error());
    return database;
}

Result<void> Database::prepare()
{
    setOption(m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1);
    setOption(m_handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
    setOption(m_handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
    setOption(m_handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
    setOption(m_handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0);
    setOption(m_handle, SQLITE_DBCONFIG_DQS_DML, 0);
    setOption(m_handle, SQLITE_DBCONFIG_DQS_DDL, 0);
    for (const Limit& limit : kLimits)
        sqlite3_limit(m_handle, limit.id, limit.value);
    sqlite3_progress_handler(m_handle, kStepsBetweenChecks, onProgress, this);
    sqlite3_exec(m_handle,
        "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA query_only=ON; "
        "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000;",
        nullptr, nullptr, nullptr);
    return readTables();
}

/// Excludes virtual tables, which have no root page.
Result<void> Database::readTables()
{
    if (m_stop.stopRequested())
        return fail(ErrorCode::Cancelled, "cancelled");
    Statement names(*this, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
    while (m_tables.size() < kMaxTables && names.next())
        m_tables.emplace(names.text(0), std::vector<std::string>());
    if (names.code() != SQLITE_OK)
        return tl::unexpected<Error>(errorOf(names.code()));
    for (auto& [table, columns] : m_tables)
        readColumns(table);
    return {};
}

void Database::readColumns(const std::string& table)
{
    if (table.find('"') != std::string::npos)
        return;
    Statement columns(*this, fmt::format("PRAGMA table_info(\"{}\")", table));
    while (columns.next())
        m_tables.find(table)->second.emplace_back(columns.text(1));
}

bool Database::hasColumn(std::string_view table, std::string_view column) const
{
    const auto found = m_tables.find(table);
    return found != m_tables.end() && std::ranges::find(found->second, column) != found->second.end();
}

std::int64_t Database::likelyRows(std::string_view table)
{
    if (!has(table))
        return 0;
    Statement rows(*this, fmt::format("SELECT max(rowid) - min(rowid) + 1 FROM \"{}\"", table));
    return rows.next() ? std::clamp<std::int64_t>(rows.integer(0), 0, std::int64_t{1} << 40) : 0;
}

bool Database::countMemory(std::size_t bytes)
{
    m_usedMemoryBytes += bytes;
    if (m_usedMemoryBytes > m_maxMemoryBytes)
        endReading(memoryLimitError(m_maxMemoryBytes));
    return goesOn();
}

void Database::endReading(Error error)
{
    if (!m_fatal)
        m_fatal = std::move(error);
}

void Database::noteDamage(std::string_view table, std::int64_t rowsRead, int code)
{
    if ((code & 0xFF) == SQLITE_INTERRUPT || (code & 0xFF) == SQLITE_NOMEM)
        return endReading(errorOf(code));
    if (m_damage)
        return;
    m_damage = errorOf(code);
    m_damage->message = fmt::format(
        "{}: table {} ends after {} of its rows", m_damage->message, table, formatCount(rowsRead));
}

Error Database::errorOf(int code) const
{
    switch (code & 0xFF) {
    case SQLITE_INTERRUPT: return {ErrorCode::Cancelled, "cancelled", std::nullopt};
    case SQLITE_NOMEM:
        return {ErrorCode::LimitExceeded, "needs more memory than the system has", std::nullopt};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {ErrorCode::CannotRead, "is locked by another program", std::nullopt};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: break;
    default:
        return {ErrorCode::CannotRead, fmt::format("cannot be read: {}", sqlite3_errstr(code)), std::nullopt};
    }
    return m_missing.value_or(Error{ErrorCode::Malformed, "is a damaged database", std::nullopt});
}

int Database::onProgress(void* self)
{
    auto& database = *static_cast<Database*>(self);
    const std::int64_t expected = std::max<std::int64_t>(database.m_expectedRowCount, 1);
    const double readShare
        = std::min(1.0, static_cast<double>(database.m_rowsRead) / static_cast<double>(expected));
    const auto bytes = static_cast<double>(database.m_fileBytes);
    database.m_progress.report(static_cast<std::uint64_t>(readShare * bytes), database.m_fileBytes);
    return database.m_stop.stopRequested() ? 1 : 0;
}

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
    const std::string_view text(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)));
    const std::size_t end = text.substr(0, kMaxTextBytes).find('\0');
    return text.substr(0, end != text.npos ? end : characterStart(text, kMaxTextBytes));
}

} // namespace highwater::nsys
