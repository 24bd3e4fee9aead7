#pragma once

#include <string>

#include "core/figure/drawing/figure.h"

namespace highwater {

/// The figure as one SVG 1.1 document without external dependencies: no scripts, no styles, no fonts but the
/// viewer's own sans-serif. All texts are escaped; characters that are invalid in XML are replaced by U+FFFD.
/// Numbers have at most two decimals.
std::string toSvg(const Figure& figure);

/// A light figure as an element of an HTML page, which its style may scale. Colours that follow the theme of
/// the page (svg_theme.h) have a class in addition to their light value: without the page's rules they stay
/// light. Contains no ids.
std::string toInlineSvg(const Figure& figure);

} // namespace highwater
