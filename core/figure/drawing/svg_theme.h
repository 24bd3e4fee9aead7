#pragma once

#include <string>
#include <string_view>

#include "core/figure/drawing/figure.h"

namespace highwater {

/// Name of a light colour that is another one on dark background: all of figure_palette.h ("text",
/// "forward", "category-activation"). Empty for others. O(log colours).
std::string_view themedColorName(FigureColor light);

/// Its dark counterpart; others are returned unchanged. O(log colours).
FigureColor darkColor(FigureColor light);

/// The figure on dark background. White text is on data and stays white.
Figure darkened(Figure figure);

/// CSS declarations, one variable for each of these colours: "--figure-text:#1a1e23;…", light or dark.
std::string figureColorVariables(bool dark);

/// The CSS rules that apply those variables to the classes of toInlineSvg.
std::string figureColorRules();

} // namespace highwater
