#pragma once

#include <string>

#include "core/report/model/report.h"

namespace highwater {

/// Returns the report as one JSON document in the format of resources/report/report.schema.json: every amount
/// as an integer, tables as rows by the keys of their columns, findings as in `highwater findings --json`,
/// notes as `--notes` reads them, figures by id and caption without their pictures. Invalid UTF-8 is replaced
/// by U+FFFD. Ends with a line break. O(report).
std::string toJson(const Report& report);

} // namespace highwater
