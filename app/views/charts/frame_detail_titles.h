#pragma once

#include <utility>
#include <vector>

#include <QString>

#include "core/analysis/stacks/call_paths.h"

namespace highwater::gui {

/// Returns the choices of which frames a call tree shows, with translated titles. The usual choice comes
/// first.
std::vector<std::pair<QString, FrameDetail>> frameDetailTitles();

} // namespace highwater::gui
