#pragma once

#include <string>

#include "core/report/model/report.h"

namespace highwater {

/// The report as one HTML 5 document that needs nothing from outside and fetches nothing: styles, a small
/// script (sorting of tables, texts at the pointer, the switch between light and dark; the document is whole
/// without it) and figures are inside. Light or dark as the reader's system is, light on paper, narrow
/// figures on narrow windows. Whatever the report's texts hold is shown as text. O(report).
std::string toHtml(const Report& report);

} // namespace highwater
