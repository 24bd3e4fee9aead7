#pragma once

#include <string>

#include "core/figure/sheet/figure.h"

namespace highwater {

/// The figure as one SVG 1.1 document that needs nothing from outside: no scripts, no styles, no fonts but
/// the viewer's own sans-serif. Texts are escaped, whatever they hold; characters that XML does not know are
/// shown as U+FFFD. Numbers have at most two decimals.
std::string toSvg(const Figure& figure);

/// A light figure as an element of an HTML page, which its style may scale. Colours that follow the theme of
/// the page (svg_theme.h) carry a class beside their light value: without the page's rules they are light.
/// There are no ids in it.
std::string toInlineSvg(const Figure& figure);

} // namespace highwater
