#pragma once

#include "core/figure/drawing/figure.h"

namespace highwater {

/// Colours of two runs and of their difference: the run before pale and the run after strong, more in the red
/// and less in the green of Paul Tol's "bright" set, as in the waterfall.
struct DiffColors
{
    FigureColor before;
    FigureColor after;
    FigureColor more; ///< an area behind the curves
    FigureColor less;

    static DiffColors of(bool dark)
    {
        return dark ? DiffColors{0x8fb0d6, 0x4c9aff, 0x7a3a44, 0x1f5a2b}
                    : DiffColors{0x7f9cc0, 0x1d4f91, 0xf6b9c0, 0xa5d3ac};
    }
};

} // namespace highwater
