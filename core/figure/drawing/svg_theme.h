#pragma once

#include <string>
#include <string_view>

#include "core/figure/drawing/figure.h"

namespace highwater {

/// Name of a light colour that a page may replace in dark mode: colours of FigurePalette, DiffColors and the
/// phases ("text", "grid", "forward"). Empty for colours of data, which do not change. O(1).
std::string_view themedColorName(FigureColor light);

/// Its dark counterpart; colours of data are returned unchanged. O(1).
FigureColor darkColor(FigureColor light);

/// CSS declarations, one variable for each of these colours: "--figure-text:#16181d;…", light or dark.
std::string figureColorVariables(bool dark);

/// The CSS rules that apply those variables to the classes of toInlineSvg.
std::string figureColorRules();

} // namespace highwater
