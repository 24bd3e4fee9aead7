#include "app/workspace/theme/category_colors.h"

namespace highwater::gui {

QColor categoryColor(Category category)
{
    switch (category) {
    case Category::Parameter: return QColor(0x44, 0x77, 0xAA);
    case Category::OptimizerState: return QColor(0x66, 0xCC, 0xEE);
    case Category::Gradient: return QColor(0xEE, 0x66, 0x77);
    case Category::Activation: return QColor(0x22, 0x88, 0x33);
    case Category::Temporary: return QColor(0xCC, 0xBB, 0x44);
    case Category::Input: return QColor(0xAA, 0x33, 0x77);
    case Category::Workspace: return QColor(0xBB, 0xBB, 0xBB);
    case Category::EnginePool:
        return QColor(0xEE, 0x88, 0x66); // orange of the "light" set: "bright" has no eighth colour
    case Category::Unknown: break;
    }
    return QColor(0x88, 0x88, 0x88);
}

} // namespace highwater::gui
