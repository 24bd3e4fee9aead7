#pragma once

#include <QBrush>
#include <QColor>
#include <QRectF>

#include "core/figure/drawing/figure_palette.h"

class QPainter;

namespace highwater::gui {

/// Returns the brush of the oblique white lines that mark memory kept from earlier steps. They fall to the
/// right, as those of the timeline's bands and of SVG figures do.
QBrush hatchBrush(Ground ground);

/// Paints the oblique white lines that mark memory kept from earlier steps over a part of a chart.
void paintHatching(QPainter& painter, const QRectF& area, Ground ground);

/// Paints the share (0 to 1) of a box that is kept, from the left of the box: in the darker colour of kept
/// memory, and hatched, as in the timeline.
void paintKept(QPainter& painter, const QRectF& box, double share, const QColor& darker, Ground ground);

} // namespace highwater::gui
