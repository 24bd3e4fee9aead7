#pragma once

#include "core/table/table.h"

namespace highwater::cli {

/// Prints the caption, if there is one, and the table's columns that are not empty (`alignedText`) on
/// standard output, as wide as `outputWidth` allows.
void printTable(const Table& table);

} // namespace highwater::cli
