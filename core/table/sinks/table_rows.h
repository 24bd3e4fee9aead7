#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/table/sinks/table_cells.h"
#include "core/table/table.h"

/// Writes tables for other programs as values under the keys of their columns. The total, the caption and
/// texts that are only for display are omitted.
namespace highwater {

/// Writes the rows to a sink with the table's columns. Amounts become integers, outlines missing values.
/// O(cells).
void writeRows(const Table& table, TableCells& target);

/// Returns a line of keys, then the rows, as `TableWriter` writes them; empty for a table without columns.
std::string toCsv(const Table& table);

/// Returns amounts as integers, outlines as arrays, and null for missing values.
nlohmann::ordered_json cellJson(const Cell& cell);
/// Returns {"key": value, …} for one row; missing values are null.
nlohmann::ordered_json rowJson(const Table& table, const TableRow& row);
/// Returns the rows as an array of the objects of `rowJson`.
nlohmann::ordered_json rowsJson(const Table& table);

} // namespace highwater
