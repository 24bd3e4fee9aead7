#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/table/sinks/table_cells.h"
#include "core/table/table.h"

/// Tables for other programs: values under the keys of their columns. Total, caption and what is only shown
/// are left out.
namespace highwater {

/// Into any sink that has the table's columns: amounts as integers, outlines are missing. O(cells).
void writeRows(const Table& table, TableCells& into);

/// A line of keys, then the rows, as `TableWriter` writes them. Empty without columns.
std::string toCsv(const Table& table);

/// Amounts as integers, outlines as arrays, null for what is missing.
nlohmann::ordered_json cellJson(const Cell& cell);
/// {"key": value, …} for one row; null for none.
nlohmann::ordered_json rowJson(const Table& table, const TableRow& row);
/// An array of them.
nlohmann::ordered_json rowsJson(const Table& table);

} // namespace highwater
