#include "core/figure/drawing/oklch.h"

#include <algorithm>
#include <cmath>

namespace highwater {

namespace {

constexpr double kWhite = 255;

double toLinear(FigureColor channel)
{
    const double value = static_cast<double>(channel & 0xff) / kWhite;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

FigureColor fromLinear(double value)
{
    const double within = std::clamp(value, 0.0, 1.0);
    const double curved = within <= 0.0031308 ? 12.92 * within : 1.055 * std::pow(within, 1 / 2.4) - 0.055;
    return static_cast<FigureColor>(std::lround(kWhite * curved));
}

double cube(double value)
{
    return value * value * value;
}

} // namespace

Oklch toOklch(FigureColor color)
{
    const double red = toLinear(color >> 16);
    const double green = toLinear(color >> 8);
    const double blue = toLinear(color);
    const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    const double a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    const double b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, std::hypot(a, b), std::atan2(b, a)};
}

FigureColor toColor(const Oklch& color)
{
    const double a = color.chroma * std::cos(color.hue);
    const double b = color.chroma * std::sin(color.hue);
    const double l = cube(color.lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(color.lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(color.lightness - 0.0894841775 * a - 1.2914855480 * b);
    const FigureColor red = fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    const FigureColor green = fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    const FigureColor blue = fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
    return red << 16 | green << 8 | blue;
}

} // namespace highwater
