#pragma once

#include <string>

#include "core/figure/figure.h"

namespace highwater {

/// The figure as one SVG 1.1 document that needs nothing from outside: no scripts, no styles, no fonts but
/// the viewer's own sans-serif. Texts are escaped, whatever they hold; characters that XML does not know are
/// shown as U+FFFD. Numbers have at most two decimals.
std::string toSvg(const Figure& figure);

} // namespace highwater
