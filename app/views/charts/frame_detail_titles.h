#pragma once

#include <utility>
#include <vector>

#include <QString>

#include "core/analysis/stacks/call_paths.h"

namespace highwater::gui {

/// What the frames that a call tree can show are called, the usual choice first.
std::vector<std::pair<QString, FrameDetail>> frameDetailTitles();

} // namespace highwater::gui
