#pragma once

#include <string>
#include <string_view>

#include "core/figure/sheet/figure.h"

namespace highwater {

/// The colours of a light figure that a page may give other values in the dark: those of FigurePalette, of
/// DiffColors and of the phases, by name ("text", "grid", "forward"). Empty for colours of data, which stay.
/// O(1).
std::string_view themedColorName(FigureColor light);

/// What it is in the dark; colours of data stay. O(1).
FigureColor darkColor(FigureColor light);

/// Declarations of one CSS variable for each of them, "--figure-text:#16181d;…", light or dark.
std::string figureColorVariables(bool dark);

/// The CSS rules by which the classes of toInlineSvg take those variables.
std::string figureColorRules();

} // namespace highwater
