#pragma once

#include <functional>

#include "core/report/model/report.h"

namespace highwater {

/// Hands every string of the document to `visit`, which may change it: titles, cells, keys and ids, findings
/// with what their evidence leads to, notes with their places, and the texts and titles of all shapes of the
/// figures. O(strings).
void forEachText(Report& report, const std::function<void(std::string&)>& visit);

} // namespace highwater
