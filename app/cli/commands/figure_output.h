#pragma once

#include <string>

#include "core/figure/drawing/figure_sheet.h"

namespace highwater::cli {

/// From the "WxH" of --size; ends the command where no figure can be like that.
void setSize(FigureOptions& sheet, const std::string& command, const std::string& size);

} // namespace highwater::cli
