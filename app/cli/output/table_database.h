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

/// A new SQLite database in a file without a name: its bytes go elsewhere, and nothing is left of it when the
/// program is killed. The first error is kept and reported by `finish`.
class TableDatabase
{
public:
    /// The file is made in this folder, for its owner alone.
    explicit TableDatabase(const std::string& folder);
    ~TableDatabase();
    TableDatabase(const TableDatabase&) = delete;
    TableDatabase& operator=(const TableDatabase&) = delete;

    void execute(const std::string& sql);
    /// Writes all to the file and closes the database. Fails with CannotRead and the library's reason.
    Result<void> finish();
    /// Passes the bytes of the file on, after `finish`. False: reading or the sink failed.
    bool copyTo(const TextSink& sink) const;

private:
    friend class DatabaseTable;
    void keepError(int code);
    bool isGood() const { return m_error == 0; }

    int m_file = -1; ///< open as long as this is; the bytes are read from it
    sqlite3* m_handle = nullptr;
    int m_error = 0; ///< the library's code of the first failure
    int m_systemError = 0; ///< errno of it; 0: none
};

/// A table of a database, made new and filled cell by cell.
class DatabaseTable : public TableCells
{
public:
    /// Columns whose names end like figures (`_bytes`, `_us`, `_event`, …) are declared as INTEGER.
    DatabaseTable(TableDatabase& database, const std::string& name, const std::vector<std::string>& columns);
    ~DatabaseTable() override;
    DatabaseTable(const DatabaseTable&) = delete;
    DatabaseTable& operator=(const DatabaseTable&) = delete;

    using TableCells::number;
    void text(std::string_view text) override;
    void number(std::int64_t value) override;
    void real(double value) override;
    /// As text, in hexadecimal with 0x, as in all exports.
    void address(std::uint64_t value) override;
    void boolean(bool value) override { number(std::int64_t{value ? 1 : 0}); }
    void missing() override;
    /// Throws WorkCancelled where the work is to stop.
    bool stopped() const override;

private:
    void endCell(int code);

    TableDatabase& m_database;
    sqlite3_stmt* m_insert = nullptr;
    int m_columns;
    int m_column = 0;
    std::vector<std::string> m_texts; ///< by column: what is bound
};

} // namespace highwater::cli
