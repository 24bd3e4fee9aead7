#pragma once

#include <functional>

#include "core/report/model/report.h"

namespace highwater {

/// Passes every string that the writers show, and that may have text of a file, to `visit`, which may change
/// it: titles, cells, keys and ids, findings with their evidence targets, notes with their places, and the
/// texts and titles of all shapes in the figures. O(strings).
void forEachText(Report& report, const std::function<void(std::string&)>& visit);

} // namespace highwater
