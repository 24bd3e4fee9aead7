#pragma once

#include <string>

#include "core/report/model/report.h"

namespace highwater {

/// Returns the report as one HTML 5 document without external dependencies: it embeds its styles, figures and
/// a small script (sortable tables, tooltips, the light and dark switch; the document is complete without
/// it). It follows the reader's light or dark setting, prints in light, and shows narrow figures in narrow
/// windows. The report's texts never become markup; notes keep the formatting they are allowed (rich_text.h).
/// O(report).
std::string toHtml(const Report& report);

} // namespace highwater
