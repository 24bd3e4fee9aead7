#pragma once

#include <span>
#include <vector>

#include <QFont>
#include <QRectF>

#include "app/timeline/bands/band_image.h"
#include "app/timeline/parts/plot_area.h"
#include "app/timeline/parts/text_cache.h"
#include "core/figure/layout/label_room.h"

class QPainter;

namespace highwater::gui {

/// Rows that a band must fill in all columns of a label, in the picture's pixels.
int labelRowsOf(const QFont& font, int pixel);

/// The labels of a picture: each band that has room for one, in the longest form that fits wholly inside of
/// it. `runs` are the picture's. O(runs), and O(live) for each moment whose bytes are told.
std::vector<BandLabel> bandLabels(const BandImage& image, std::span<const BandRun> runs);

/// Where a label is in view; empty where the picture is shown so small that it has no room, where it would be
/// cut, or where something else is.
QRectF placeOf(const BandLabel& label, const PlotArea& area, std::span<const QRectF> taken);

/// The label, or the first of its spares that has a place where it has none.
const BandLabel& freeOne(const BandLabel& label, const PlotArea& area, std::span<const QRectF> taken);

/// Of those that have a place, or their spares.
std::vector<QRectF> placesOf(
    std::span<const BandLabel> labels, const PlotArea& area, std::span<const QRectF> taken);

/// The texts of labels, laid out once for all frames that show them.
struct BandLabelTexts
{
    TextCache names;
    TextCache sizes; ///< in bold
};

/// Paints those that have a place, or their spares.
void paintBandLabels(QPainter& painter, std::span<const BandLabel> labels, const QFont& font,
    BandLabelTexts& texts, const PlotArea& area, std::span<const QRectF> taken);

} // namespace highwater::gui
