#pragma once

#include <QImage>
#include <QPainter>

#include "core/figure/drawing/figure.h"

namespace highwater::gui {

/// Paints the figure, background included, with its upper left corner at the painter's origin and one unit
/// for each of its pixels: whoever wants it larger, or on paper, scales the painter. Edges that are parallel
/// to the axes are moved to the nearest pixels of the device, so they are crisp at any scale; what is thinner
/// than a pixel keeps its share of it. Texts have the family of the painter's font. Leaves the painter as it
/// was.
void paintFigure(QPainter& painter, const Figure& figure);

/// The shapes alone, in the painter's units.
void paintShapes(QPainter& painter, const std::vector<FigureShape>& shapes);

} // namespace highwater::gui
