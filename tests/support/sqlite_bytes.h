#pragma once

#include <string>

namespace highwater::test {

/// The file that an SQL script makes.
std::string sqliteBytes(const std::string& script);

/// The tables that every export of Nsight Systems has, and the memory-usage table of schema 3.7.2, empty.
extern const char* const kNsysTables;

/// An INSERT of one row into the memory-usage table; `row` has its values from `start` to
/// `memoryOperationType`, without `pc`.
std::string memoryRow(const std::string& row);

} // namespace highwater::test
