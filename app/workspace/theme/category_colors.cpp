#include "app/workspace/theme/category_colors.h"

#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui {

QColor categoryColor(Category category)
{
    return QColor::fromRgb(highwater::categoryColor(category));
}

} // namespace highwater::gui
