#pragma once

#include <string>

namespace highwater::test {

/// Returns the database file that an SQL script creates.
std::string sqliteBytes(const std::string& script);

/// The tables of every Nsight Systems export, and the empty memory-usage table of schema 3.7.2.
extern const char* const kNsysTables;

/// Returns an INSERT of one row into the memory-usage table. `row` has its values from `start` to
/// `memoryOperationType`, without `pc`.
std::string memoryRow(const std::string& row);

} // namespace highwater::test
