#pragma once

#include <cstddef>

#include "core/analysis/steps/phases.h"
#include "core/figure/drawing/figure.h"
#include "core/run/category_rules.h"

namespace highwater {

/// The colours of everything except data, light or dark.
struct FigurePalette
{
    FigureColor background;
    FigureColor text;
    FigureColor quietText;
    FigureColor grid;
    FigureColor border;
    FigureColor accent;
    FigureColor danger; ///< the peak, out of memory
    bool dark;

    static FigurePalette light();
    static FigurePalette darkColors();
    static FigurePalette of(bool dark) { return dark ? darkColors() : light(); }
};

/// Paul Tol's "bright" set, which is safe for colour-blind readers; the same in light and dark.
FigureColor categoryColor(Category category);

/// Colours of groups without a meaning of their own: the first ten are distinct, largest first; later ones
/// share paler colours.
inline constexpr std::size_t kDistinctGroups = 10;
FigureColor groupColor(std::size_t rank);
/// For unnamed groups, and the rest of many.
inline constexpr FigureColor kRestColor = 0x888888;

/// Background of a phase's name.
FigureColor phaseColor(Phase phase, bool dark);

} // namespace highwater
