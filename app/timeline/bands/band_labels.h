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

/// Returns the height of a label, in rows of a picture.
int labelHeightInRows(const QFont& font, int rowsPerPixel);

/// Makes the labels of a picture by the rules of `bandLabelPlaces`, in the picture's colours. `spans` are the
/// spans of the picture, by column. O(spans × log bands), plus O(live) for each moment whose bytes are shown.
std::vector<BandLabel> bandLabels(const BandImage& image, std::span<const BandSpan> spans);

/// Returns the label's rectangle on screen; empty if its space is now too small for it, or if it would extend
/// beyond the area or overlap one of `taken`.
QRectF placeOf(const BandLabel& label, const PlotArea& area, std::span<const QRectF> taken);

/// Returns the label if its place is free, else the first of its spares with a free place, else the label.
const BandLabel& labelWithFreePlace(
    const BandLabel& label, const PlotArea& area, std::span<const QRectF> taken);

/// Returns the rectangles of the labels, or their spares, that have a free place.
std::vector<QRectF> placesOf(
    std::span<const BandLabel> labels, const PlotArea& area, std::span<const QRectF> taken);

/// The texts of labels, laid out once for all frames.
struct BandLabelTexts
{
    TextCache names;
    TextCache sizes; ///< in bold
};

/// Paints each label, or the first of its spares, that has a free place; labels without one are left out.
void paintBandLabels(QPainter& painter, std::span<const BandLabel> labels, const QFont& font,
    BandLabelTexts& texts, const PlotArea& area, std::span<const QRectF> taken);

} // namespace highwater::gui
