#pragma once

#include <string>
#include <string_view>

#include "core/figure/drawing/figure.h"

namespace highwater {

/// The text as content or attribute of an element of SVG or HTML. O(text).
std::string escapedMarkup(std::string_view text);

/// The figure as one SVG 1.1 document without external dependencies: no scripts, no styles, no fonts but the
/// viewer's own sans-serif. All texts are escaped; characters that are invalid in XML are replaced by U+FFFD.
/// Numbers have at most two decimals.
std::string toSvg(const Figure& figure);

/// A light figure as an element of an HTML page, which its style may scale. Colours that follow the theme of
/// the page (svg_theme.h) have a class in addition to their light value: without the page's rules they stay
/// light. Contains no ids.
std::string toInlineSvg(const Figure& figure);

} // namespace highwater
