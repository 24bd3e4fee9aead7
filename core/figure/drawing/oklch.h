#pragma once

#include "core/figure/drawing/figure.h"

namespace highwater {

/// A colour in OKLCH (B. Ottosson, 2020), in which equal differences look equal: lightness 0 to 1, chroma,
/// hue in radians.
struct Oklch
{
    double lightness = 0;
    double chroma = 0;
    double hue = 0;
};

/// Converts an sRGB colour.
Oklch toOklch(FigureColor color);
/// Returns the nearest sRGB colour, channel by channel.
FigureColor toColor(const Oklch& color);

} // namespace highwater
