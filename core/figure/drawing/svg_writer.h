#pragma once

#include <string>
#include <string_view>

#include "core/figure/drawing/figure.h"

namespace highwater {

/// Escapes a text for the content or an attribute of an SVG or HTML element. O(text).
std::string escapedMarkup(std::string_view text);

/// Returns the figure as one SVG 1.1 document without external dependencies: no scripts, no styles, no fonts
/// except the viewer's own sans-serif. All texts are escaped; characters that are invalid in XML are replaced
/// by U+FFFD. Numbers have at most two decimals.
std::string toSvg(const Figure& figure);

/// Returns a light figure as an element of an HTML page, which the page's style may scale. Colours that
/// follow the page's theme have a class in addition to their light value. The page's rules (svg_theme.h) are
/// for colours with names; the rules of all others are in a style element of the figure. Paper stays light.
std::string toInlineSvg(const Figure& figure);

} // namespace highwater
