#pragma once

#include <QImage>
#include <QPainter>

#include "core/figure/drawing/figure.h"

namespace highwater::gui {

/// Paints the figure and its background, with its upper left corner at the painter's origin and one unit per
/// pixel of the figure. Scale the painter for a larger figure or for paper. Edges along the axes snap to
/// pixels of the paint device, unless the painter is rotated, so that they are sharp at any scale. Rectangles
/// thinner than a pixel keep their size; a line of two points along an axis gets at least one pixel. Texts
/// use the family of the painter's font. Restores the painter's state. O(shapes).
void paintFigure(QPainter& painter, const Figure& figure);

/// Paints only shapes, without a background, in units of the painter.
void paintShapes(QPainter& painter, const std::vector<FigureShape>& shapes);

} // namespace highwater::gui
