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

/// An untrusted SQLite database, opened read-only and restricted as far as the library allows: no views,
/// triggers, extensions or virtual tables are ever touched, sizes are limited, and the file is never written,
/// locked or searched for a journal.
///
/// Errors while reading are kept here: damage ends the table in which it is found (`noteDamage`), cancelling
/// and limits end everything (`giveUp`).
class Database
{
public:
    /// Opens a file that can be read in place.
    static Result<std::unique_ptr<Database>> ofFile(const std::string& path, const ImportOptions& options);
    /// Opens a database from its content. `missing`: why the content is incomplete.
    static Result<std::unique_ptr<Database>> ofBytes(
        std::string bytes, std::optional<Error> missing, const ImportOptions& options);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Whether an ordinary table of that name exists; views and virtual tables do not count.
    bool has(std::string_view table) const { return m_tables.find(table) != m_tables.end(); }
    const std::map<std::string, std::vector<std::string>, std::less<>>& tables() const { return m_tables; }
    bool hasColumn(std::string_view table, std::string_view column) const;
    /// How many rows a table has if none was ever deleted; 0 if there is none. O(log rows).
    std::int64_t likelyRows(std::string_view table);

    /// For progress: how many rows are going to be read.
    void expectRows(std::int64_t rows) { m_expectedRows += rows; }
    void countRow() { ++m_rowsRead; }

    /// Counts working memory; false, and reading ends, once it exceeds the import's limit.
    bool use(std::size_t bytes);

    /// False once reading was cancelled or hit a limit: nothing more is read.
    bool goesOn() const { return !m_fatal; }
    /// Ends reading; the first error is kept.
    void giveUp(Error error);
    void noteDamage(std::string_view table, std::int64_t rowsRead, int code);
    /// Why not everything was read: the error that ended it, else the first damage.
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
    std::string m_bytes; ///< the content, where it is in memory
    std::map<std::string, std::vector<std::string>, std::less<>> m_tables; ///< with their columns
    std::optional<Error> m_missing; ///< why bytes at the end are not there
    std::optional<Error> m_fatal;
    std::optional<Error> m_damage;
    ThrottledProgress m_progress;
    StopToken m_stop;
    std::uint64_t m_mostMemory;
    std::uint64_t m_usedMemory = 0;
    std::uint64_t m_fileBytes = 0;
    std::int64_t m_expectedRows = 0;
    std::int64_t m_rowsRead = 0;
};

/// A query that is stepped through row by row. Damage ends it like the last row does; check `code`.
class Statement
{
public:
    Statement(Database& database, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    bool next();
    /// SQLite's result code, 0 after the last row.
    int code() const { return m_code; }

    /// For a query with one parameter: runs it again with this value.
    void restartWith(std::int64_t value);

    bool isNull(int column) const;
    /// Whether it is a whole number, as nearly all columns must be.
    bool isInteger(int column) const;
    /// 0 where there is none.
    std::int64_t integer(int column) const;
    std::optional<std::int64_t> optionalInteger(int column) const;
    /// Up to the first NUL, and no longer than `kMaxTextBytes`; valid until the next row.
    std::string_view text(int column) const;

    static constexpr std::size_t kMaxTextBytes = 2'000;

private:
    Database& m_database;
    sqlite3_stmt* m_statement = nullptr;
    int m_code = 0;
    bool m_atEnd = false;
};

} // namespace highwater::nsys
