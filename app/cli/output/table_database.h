#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/table/sinks/table_cells.h"
#include "core/table/sinks/table_writer.h"

struct sqlite3;
struct sqlite3_stmt;

namespace highwater::cli {

/// A new SQLite database in a file without a name. `copyTo` copies its bytes to the real output; if the
/// program is killed, the system removes the file. The first error is kept and reported by `finish`.
class TableDatabase
{
public:
    /// Makes the file in this folder, readable by its owner only. An error is kept for `finish`.
    explicit TableDatabase(const std::string& folder);
    ~TableDatabase();
    TableDatabase(const TableDatabase&) = delete;
    TableDatabase& operator=(const TableDatabase&) = delete;

    /// Executes statements that return no rows; does nothing after an error.
    void execute(const std::string& sql);
    /// Writes everything to the file and closes the database. Fails with CannotRead and the reason.
    Result<void> finish();
    /// Passes the bytes of the file to the sink; only after `finish`. Returns false if reading or the sink
    /// failed.
    bool copyTo(const TextSink& sink) const;

private:
    friend class DatabaseTable;
    void keepError(int code);
    bool isGood() const { return m_error == 0; }

    int m_file = -1; ///< open for the lifetime of this object; the bytes are read from it
    sqlite3* m_handle = nullptr;
    int m_error = 0; ///< SQLite's code for the first failure
    int m_systemError = 0; ///< errno of the first failure; 0 if there is none
};

/// A new table of a database, filled cell by cell, row after row. The database must outlive it.
class DatabaseTable : public TableCells
{
public:
    /// Declares columns whose names end like figures (`_bytes`, `_us`, `_event`, …) as INTEGER, "value"
    /// without a type, and others as TEXT.
    DatabaseTable(TableDatabase& database, const std::string& name, const std::vector<std::string>& columns);
    ~DatabaseTable() override;
    DatabaseTable(const DatabaseTable&) = delete;
    DatabaseTable& operator=(const DatabaseTable&) = delete;

    using TableCells::number;
    void text(std::string_view text) override;
    void number(std::int64_t value) override;
    /// Writes NULL for a value that is not finite.
    void real(double value) override;
    /// Writes the address as hexadecimal text with 0x, as in all exports.
    void address(std::uint64_t value) override;
    void boolean(bool value) override { number(std::int64_t{value ? 1 : 0}); }
    void missing() override;
    /// Returns true after an error. Throws WorkCancelled if the work is to stop.
    bool stopped() const override;

private:
    void endCell(int code);

    TableDatabase& m_database;
    sqlite3_stmt* m_insert = nullptr;
    int m_columns;
    int m_column = 0;
    std::vector<std::string> m_texts; ///< the bound text of each column
};

} // namespace highwater::cli
