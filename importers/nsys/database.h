#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "importers/importer.h"

struct sqlite3;
struct sqlite3_stmt;

namespace highwater::nsys {

/// An untrusted SQLite database, opened read-only and restricted as far as the library allows. Views,
/// triggers, extensions and virtual tables are never touched, sizes are limited, and the file is never
/// written, locked or searched for a journal.
///
/// Keeps the errors that occur while reading: damage ends the table in which it is found (`noteDamage`),
/// cancellation and limits end everything (`endReading`).
class Database
{
public:
    /// Opens a file that can be read in place. Fails if its list of tables cannot be read.
    static Result<std::unique_ptr<Database>> openFile(const std::string& path, const ImportOptions& options);
    /// Opens a database from its content, also if parts are missing. `missing` is the reason why the content
    /// is incomplete, if it is; it becomes the `problem`.
    static Result<std::unique_ptr<Database>> openBytes(
        std::string content, std::optional<Error> missing, const ImportOptions& options);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// True if an ordinary table of that name exists. Views and virtual tables do not count.
    bool has(std::string_view table) const { return m_tables.find(table) != m_tables.end(); }
    const std::map<std::string, std::vector<std::string>, std::less<>>& tables() const { return m_tables; }
    bool hasColumn(std::string_view table, std::string_view column) const;
    /// Returns the number of rows if none was ever deleted, from the first and last row number; 0 if there is
    /// no such table. O(log rows).
    std::int64_t likelyRows(std::string_view table);

    /// Adds rows that are going to be read, for the progress display.
    void expectRows(std::int64_t rows) { m_expectedRowCount += rows; }
    void countRow() { ++m_rowsRead; }

    /// Adds to the working memory, and ends reading once the sum exceeds the import's limit. Returns false if
    /// reading has ended.
    bool countMemory(std::size_t bytes);

    /// False once reading was cancelled or hit a limit; nothing more is read then.
    bool goesOn() const { return !m_fatal; }
    /// Ends reading with this error. Only the first error is kept.
    void endReading(Error error);
    /// Keeps the error of SQLite's result `code`, at which a table ended after some rows. Only the first
    /// damage is kept; cancellation and lack of memory end reading.
    void noteDamage(std::string_view table, std::int64_t rowsRead, int code);
    /// Returns the reason why not everything was read: the error that ended reading, else the first damage;
    /// nullopt if everything was read.
    const std::optional<Error>& problem() const { return m_fatal ? m_fatal : m_damage; }

    sqlite3* handle() const { return m_handle; }

private:
    explicit Database(const ImportOptions& options);

    Result<void> prepare();
    Result<void> readTables();
    void readColumns(const std::string& table);
    Error errorOf(int code) const;
    static int onProgress(void* self);

    sqlite3* m_handle = nullptr;
    std::string m_content; ///< the content, if it is in memory
    std::map<std::string, std::vector<std::string>, std::less<>> m_tables; ///< table names with their columns
    std::optional<Error> m_missing; ///< the reason why bytes at the end are missing
    std::optional<Error> m_fatal;
    std::optional<Error> m_damage;
    ThrottledProgress m_progress;
    StopToken m_stop;
    std::uint64_t m_maxMemoryBytes;
    std::uint64_t m_usedMemoryBytes = 0;
    std::uint64_t m_fileBytes = 0;
    std::int64_t m_expectedRowCount = 0;
    std::int64_t m_rowsRead = 0;
};

/// A query that is read row by row. The values are those of the row to which `next` moved.
class Statement
{
public:
    Statement(Database& database, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    /// Returns false after the last row, after damage (`code`), and once the database has ended reading.
    bool next();
    /// Returns SQLite's result code of damage, 0 otherwise.
    int code() const { return m_code; }

    /// Starts a query with one parameter, with this value.
    void restartWith(std::int64_t value);

    bool isNull(int column) const;
    /// True if the value is stored as an integer.
    bool isInteger(int column) const;
    /// Returns 0 if there is no value.
    std::int64_t integer(int column) const;
    std::optional<std::int64_t> optionalInteger(int column) const;
    /// Returns the text up to the first NUL, but at most `kMaxTextBytes`. Valid until the next row.
    std::string_view text(int column) const;

    static constexpr std::size_t kMaxTextBytes = 2'000;

private:
    Database& m_database;
    sqlite3_stmt* m_statement = nullptr;
    int m_code = 0;
    bool m_atEnd = false;
};

} // namespace highwater::nsys
