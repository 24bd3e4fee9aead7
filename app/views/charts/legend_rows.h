#pragma once

#include <optional>
#include <vector>

#include <QColor>
#include <QString>

#include "app/workspace/view/band_view.h"

namespace highwater::gui {

struct LegendRow
{
    QColor color; ///< invalid: several
    QString label; ///< of a category that is inferred, with its grade: "parameters (B)"
    QString tip; ///< the whole name
    Bytes bytes = 0;
    std::int64_t count = 0;
    std::optional<GroupRank> group; ///< none: several

    bool operator==(const LegendRow&) const = default;
};

inline constexpr std::size_t kLegendRows = 10;

/// The first `top` groups in stacking order with what is live of them right after `event`, the rest as one
/// row, and one row for each group without a name: whatever the event, the same rows. Groups that are hidden
/// or isolated always have a row. The sum of the rows is the total at that moment. The view must have a
/// device.
std::vector<LegendRow> legendRows(
    const BandView& view, std::int64_t event, std::size_t top = kLegendRows, bool dark = false);

} // namespace highwater::gui
