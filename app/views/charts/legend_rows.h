#pragma once

#include <optional>
#include <vector>

#include <QColor>
#include <QString>

#include "app/workspace/view/band_view.h"

namespace highwater::gui {

struct LegendRow
{
    QColor color; ///< invalid for the row of other groups
    QString label; ///< an inferred category has its grade: "parameters (likely)"
    QString tip; ///< full name
    Bytes bytes = 0;
    std::int64_t count = 0;
    std::optional<GroupRank> group; ///< nullopt for the row of other groups

    bool operator==(const LegendRow&) const = default;
};

inline constexpr std::size_t kLegendRows = 10;

/// Rows of the first `top` groups in stacking order with what is live right after `event`, then one row for
/// all other groups, then one for each group without a name. The rows are the same for every event. Hidden
/// and isolated groups always have their own row. The rows sum to the total at that event. The view must have
/// a device.
std::vector<LegendRow> legendRows(
    const BandView& view, std::int64_t event, std::size_t top = kLegendRows, bool dark = false);

} // namespace highwater::gui
