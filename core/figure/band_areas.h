#pragma once

#include <string>
#include <vector>

#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/stacked_groups.h"

/// Draws stacked groups into a plot: areas, hatching, labels and legend.
namespace highwater {

/// The bytes of each group in each column: [column][group]; see `groupTotals`.
using GroupTotals = std::vector<std::vector<Bytes>>;

/// Appends the upper edge of an area: a step per column; equal columns are joined, as are those that differ
/// from the drawn one by less than the tolerance, in pixels. `heights` must not be empty.
void appendEdge(std::vector<FigurePoint>& points, const PlotFrame& plot, const std::vector<Bytes>& heights,
    double tolerance);

/// Draws the areas, those kept from earlier steps hatched. Groups too low to be seen, and all but the largest
/// 28, join the area below them, so the total is exact.
void drawAreas(FigureSheet& sheet, const PlotFrame& plot, const StackedGroups& stacked,
    const GroupTotals& totals, double tolerance);

/// Labels the areas that have room for a label, as the window labels its bands, outside of the areas `taken`.
/// `key` is the position on the x axis of the moment of `stacked`.
void drawAreaLabels(FigureSheet& sheet, const PlotFrame& plot, const StackedGroups& stacked,
    const GroupTotals& totals, double key, const std::vector<FigureArea>& taken);

/// Returns "15.83 GiB (13.49 GiB kept)" or "2 GiB (all kept)"; without brackets if nothing is kept from
/// earlier steps.
std::string bytesWithKept(Bytes bytes, Bytes kept);
/// Returns the key of the hatching, in grey, because it lies on areas of every colour. It shows no bytes,
/// because they are parts of other entries; `kept` only says how important the key is where there is little
/// room.
LegendEntry hatchKey(Bytes kept);

/// Returns legend entries for the areas in the order in which they are stacked, including groups that are
/// visible but have no bytes at the moment of `stacked`. Call sites in the colours of their categories have
/// one entry for each category. An entry says how much of its bytes is kept from earlier steps; if any is,
/// the key of the hatching comes last. All figures but those in brackets add up to the total.
std::vector<LegendEntry> areaLegend(const StackedGroups& stacked, const GroupTotals& totals);

} // namespace highwater
