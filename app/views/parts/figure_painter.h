#pragma once

#include <QImage>
#include <QPainter>

#include "core/figure/drawing/figure.h"

namespace highwater::gui {

/// Paints the figure and its background, with its upper left corner at the painter's origin and one unit per
/// pixel of the figure. Scale the painter for a larger figure or for paper. Edges parallel to the axes snap
/// to the device's pixels, so that they are sharp at any scale; a rectangle thinner than a pixel keeps its
/// size, and a line along an axis gets at least one pixel. Texts use the family of the painter's font.
/// Restores the painter's state.
void paintFigure(QPainter& painter, const Figure& figure);

/// Paints only the shapes, in the painter's units.
void paintShapes(QPainter& painter, const std::vector<FigureShape>& shapes);

} // namespace highwater::gui
