#pragma once

#include <string>

#include "core/report/model/report.h"

namespace highwater {

/// The rows of a table of a report under the keys of its columns, as CSV (table_writer.h): amounts as
/// integers, what is missing empty. Without the total, which follows from the rows, and without what is left
/// out. O(rows).
std::string toCsv(const ReportTable& table);

} // namespace highwater
