#pragma once

#include <string>
#include <string_view>

#include "core/figure/drawing/figure.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater {

/// Returns the name of a light colour in the CSS of a page: colours of phases, categories, groups, lines,
/// series and most of FigurePalette ("text", "forward", "category-activation"). Empty for others, also for
/// colours of call sites, which have a dark counterpart all the same. O(log colours).
std::string_view themedColorName(FigureColor light);

/// Returns the dark counterpart; other colours are returned unchanged. O(log colours).
FigureColor darkColor(FigureColor light);

/// Returns a figure in light colours for another theme. In a theme of high contrast, colours of data are
/// stronger. White text is always on data and stays white.
Figure onGround(Figure figure, Ground ground);

/// Returns CSS declarations of a variable for each named colour, light or dark: "--figure-text:#1a1e23;…".
std::string figureColorVariables(bool dark);

/// Returns the CSS rules that apply those variables to the classes of toInlineSvg.
std::string figureColorRules();

} // namespace highwater
