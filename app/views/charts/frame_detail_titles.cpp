#include "app/views/charts/frame_detail_titles.h"

#include <QObject>

namespace highwater::gui {

std::vector<std::pair<QString, FrameDetail>> frameDetailTitles()
{
    return {{QObject::tr("Python frames"), FrameDetail::Python}, {QObject::tr("Own code"), FrameDetail::Own},
        {QObject::tr("Python and C++"), FrameDetail::All}};
}

} // namespace highwater::gui
