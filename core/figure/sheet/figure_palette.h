#pragma once

#include <cstddef>

#include "core/analysis/steps/phases.h"
#include "core/figure/sheet/figure.h"
#include "core/run/category_rules.h"

namespace highwater {

/// The colours of everything that is no data, light or dark.
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

/// Paul Tol's "bright" set, which colour-blind eyes can tell apart; the same light and dark.
FigureColor categoryColor(Category category);

/// Groups without a colour of their own meaning: the first ten are told apart, largest first, later ones
/// share paler ones.
inline constexpr std::size_t kDistinctGroups = 10;
FigureColor groupColor(std::size_t rank);
/// What has no name, and the rest of many.
inline constexpr FigureColor kRestColor = 0x888888;

/// Behind the name of a phase.
FigureColor phaseColor(Phase phase, bool dark);

} // namespace highwater
