#include "app/cli/output/table_database.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "app/loading/files/atomic_file.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"
#include "core/base/valid_text.h"

namespace highwater::cli {

namespace {

bool isIntegerColumn(std::string_view column)
{
    for (const std::string_view ending :
        {"_bytes", "_us", "_event", "_events", "_id", "count", "step", "stream", "rank", "line", "position"})
        if (column.ends_with(ending))
            return true;
    return column == "event" || column == "bytes" || column == "index" || column == "complete"
        || column == "is_python" || column == "is_expandable";
}

bool isAscii(std::string_view text)
{
    unsigned char bits = 0; // without a branch, so that it is vectorized
    for (const char c : text)
        bits |= static_cast<unsigned char>(c);
    return bits < 0x80;
}

std::string quotedName(std::string_view name)
{
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

} // namespace

TableDatabase::TableDatabase(const std::string& folder)
{
    std::string path = folder + "/.highwater-tables-XXXXXX";
    m_file = ::mkostemp(path.data(), O_CLOEXEC);
    if (m_file < 0) {
        m_error = SQLITE_CANTOPEN;
        m_systemError = errno;
        return;
    }
    keepError(::sqlite3_open_v2(path.c_str(), &m_handle,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, nullptr));
    // No journal is needed: the file is thrown away after any failure, and only one thread writes it. The
    // exclusive lock makes SQLite open the file at once, so that its name can be removed.
    execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; "
            "PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    ::unlink(path.c_str());
}

TableDatabase::~TableDatabase()
{
    ::sqlite3_close_v2(m_handle);
    if (m_file >= 0)
        ::close(m_file);
}

void TableDatabase::keepError(int code)
{
    if (code == SQLITE_OK || m_error != 0)
        return;
    m_error = code;
    m_systemError = code == SQLITE_FULL ? ENOSPC : m_handle ? ::sqlite3_system_errno(m_handle) : 0;
    if (m_handle && m_systemError == 0) // the errno of a failed COMMIT is known only to the file
        ::sqlite3_file_control(m_handle, "main", SQLITE_FCNTL_LAST_ERRNO, &m_systemError);
}

void TableDatabase::execute(const std::string& sql)
{
    if (isGood())
        keepError(::sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr));
}

Result<void> TableDatabase::finish()
{
    execute("COMMIT");
    if (!isGood())
        return fail(ErrorCode::CannotRead,
            fmt::format("cannot be saved: {}",
                m_systemError != 0 ? saveErrorText(m_systemError) : ::sqlite3_errstr(m_error)));
    ::sqlite3_close_v2(std::exchange(m_handle, nullptr));
    return {};
}

bool TableDatabase::copyTo(const TextSink& sink) const
{
    std::string piece(std::size_t{1} << 20, '\0');
    for (off_t offset = 0;;) {
        const ssize_t count = ::pread(m_file, piece.data(), piece.size(), offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || !sink(std::string_view(piece).substr(0, static_cast<std::size_t>(count))))
            return count == 0;
        offset += count;
    }
}

DatabaseTable::DatabaseTable(
    TableDatabase& database, const std::string& name, const std::vector<std::string>& columns)
    : m_database(database)
    , m_columns(static_cast<int>(columns.size()))
    , m_texts(columns.size())
{
    std::string declarations;
    std::string placeholders;
    for (const std::string& column : columns) {
        const bool hasMixedTypes = column == "value"; // the values of this column have different types
        declarations += fmt::format("{}{}{}", declarations.empty() ? "" : ", ", quotedName(column),
            hasMixedTypes                 ? ""
                : isIntegerColumn(column) ? " INTEGER"
                                          : " TEXT");
        placeholders += placeholders.empty() ? "?" : ", ?";
    }
    database.execute(fmt::format("CREATE TABLE {} ({})", quotedName(name), declarations));
    const std::string insert = fmt::format("INSERT INTO {} VALUES ({})", quotedName(name), placeholders);
    if (database.isGood())
        database.keepError(::sqlite3_prepare_v2(database.m_handle, insert.c_str(), -1, &m_insert, nullptr));
}

DatabaseTable::~DatabaseTable()
{
    ::sqlite3_finalize(m_insert);
}

bool DatabaseTable::stopped() const
{
    interruptionPoint();
    return !m_database.isGood();
}

void DatabaseTable::endCell(int code)
{
    m_database.keepError(code);
    if (++m_column < m_columns)
        return;
    m_column = 0;
    if (!m_database.isGood())
        return;
    if (const int done = ::sqlite3_step(m_insert); done != SQLITE_DONE)
        m_database.keepError(done);
    ::sqlite3_reset(m_insert);
}

void DatabaseTable::text(std::string_view text)
{
    // The text is kept until the next row's text of this column is bound, so that SQLite needs no copy of it.
    std::string& boundText = m_texts[static_cast<std::size_t>(m_column)];
    if (isAscii(text))
        boundText.assign(text);
    else
        boundText = validText(text);
    endCell(::sqlite3_bind_text(
        m_insert, m_column + 1, boundText.data(), static_cast<int>(boundText.size()), SQLITE_STATIC));
}

void DatabaseTable::number(std::int64_t value)
{
    endCell(::sqlite3_bind_int64(m_insert, m_column + 1, value));
}

void DatabaseTable::real(double value)
{
    endCell(std::isfinite(value) ? ::sqlite3_bind_double(m_insert, m_column + 1, value)
                                 : ::sqlite3_bind_null(m_insert, m_column + 1));
}

void DatabaseTable::address(std::uint64_t value)
{
    text(formatAddress(value));
}

void DatabaseTable::missing()
{
    endCell(::sqlite3_bind_null(m_insert, m_column + 1));
}

} // namespace highwater::cli
