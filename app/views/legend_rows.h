#pragma once

#include <vector>

#include <QColor>
#include <QString>

#include "app/timeline/site_palette.h"
#include "app/workspace/device_analysis.h"

namespace highwater::gui {

struct LegendRow
{
    QColor color;
    QString label;
    QString tip; ///< the whole name
    Bytes bytes = 0;
    std::int64_t count = 0;
};

/// The `top` largest call sites that are live right after `event`, the rest as one row, and one row for each
/// reason why there is no stack. The sum of the rows is the total at that moment.
std::vector<LegendRow> legendRows(
    const DeviceAnalysis& analysis, const SitePalette& palette, std::int64_t event, std::size_t top = 10);

} // namespace highwater::gui
