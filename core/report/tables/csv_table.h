#pragma once

#include <string>

#include "core/report/model/report.h"

namespace highwater {

/// The rows of a report table as CSV (table_writer.h), with the keys of its columns as header: amounts as
/// integers, missing values empty. Excludes the total, which follows from the rows, and the left-out note.
/// O(rows).
std::string toCsv(const Table& table);

} // namespace highwater
