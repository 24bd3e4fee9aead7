#pragma once

#include <optional>
#include <vector>

#include <QColor>
#include <QString>

#include "app/workspace/view/band_view.h"

namespace highwater::gui {

/// An entry of the legend: a group, a family of modules, or all other groups together, with its live bytes at
/// one event.
struct LegendRow
{
    QColor color; ///< invalid for the row of other groups, unless all of these have one colour
    QString label; ///< a category that is a guess says so: "inputs (guess)"
    QString tip; ///< full name, and how certain an inferred category is
    Bytes bytes = 0;
    Bytes kept = 0; ///< the part of `bytes` kept from earlier steps
    std::int64_t count = 0;
    std::optional<GroupRank> group; ///< nullopt for a family and for the row of other groups
    Bytes bytesAtPeak = 0; ///< says how important the row is where there is little room

    bool operator==(const LegendRow&) const = default;
};

inline constexpr std::size_t kLegendRows = 10;
/// Returns how many groups of a mode have a row of their own: all categories, but of others only so many that
/// a reader can tell them apart.
inline std::size_t maxLegendRows(BandMode mode)
{
    return mode == BandMode::Category ? kLegendRows : 6;
}

/// Returns the rows for what is live right after `event`, in the order in which bands are stacked, from the
/// bottom: the `top` groups that are largest at the peak, those without a name, and one row for all others,
/// which include small modules, as these share one grey. Hidden and isolated groups always have their own
/// row. The rows sum to the total of the event, and are the same groups at every event. The view must have a
/// device. O(groups + live allocations).
std::vector<LegendRow> legendRows(
    const BandView& view, std::int64_t event, std::size_t top = kLegendRows, Ground ground = {});

/// Returns "12 more", for entries without room.
QString moreText(std::size_t entries);

} // namespace highwater::gui
