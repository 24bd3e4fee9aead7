#pragma once

#include <QColor>

#include "core/run/category_rules.h"

namespace highwater::gui {

/// The colour of a category, the same everywhere and in both themes; Paul Tol's "bright" set, which is safe
/// for colour-blind users.
QColor categoryColor(Category category);

} // namespace highwater::gui
