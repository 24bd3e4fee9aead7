#pragma once

#include <QColor>

#include "core/run/category_rules.h"

namespace highwater::gui {

/// The same everywhere, in both themes; Paul Tol's "bright" set, which colour-blind eyes can tell apart.
QColor categoryColor(Category category);

} // namespace highwater::gui
