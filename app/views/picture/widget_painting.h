#pragma once

#include "app/views/picture/picture.h"

class QWidget;

namespace highwater::gui {

/// Paints a widget and its visible children as they paint themselves, but without what follows the mouse
/// (cursor, hover card) and without scroll bars. Plots are drawn as vectors and texts as texts; only
/// bands and the cells of a heat map are images. The upper left corner of the widget is at the painter's
/// origin. On screen, the widget then highlights nothing under the mouse until the mouse moves.
void paintWidget(QPainter& painter, QWidget& widget);

/// Returns a picture of the widget, painted by `paintWidget`. The widget must outlive the picture.
Picture pictureOf(QWidget& widget);

} // namespace highwater::gui
