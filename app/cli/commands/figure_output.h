#pragma once

#include <string>

#include "core/figure/drawing/figure_sheet.h"

namespace highwater::cli {

/// Sets the size of `sheet` from the "WxH" of `--size`; ends `command` if no figure can have that size.
void setSize(FigureOptions& sheet, const std::string& command, const std::string& size);

} // namespace highwater::cli
