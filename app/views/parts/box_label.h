#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QRectF>
#include <QString>

#include "core/figure/drawing/figure_palette.h"

class QPainter;

namespace highwater::gui {

/// Returns the part of a label that must not be cut: "model.py:39" of "forward (model.py:39)"; the whole
/// label if it names no line.
QString placeOf(const QString& label);
/// Cuts the end of the function of a call site that is wider than the room: "move_to_… (train.py:44)". If too
/// little of the function is left, only the place is. A label without a place loses its start.
QString cutFunction(const QFontMetrics& font, const QString& label, int room);

/// Cuts what is before the first " · " of a name that does not fit, because several names begin with the same
/// words: of "backward · AddmmBackward0", "…AddmmBackward0" is left, or its start if that is too wide. Leaves
/// other names alone.
QString cutHead(const QFontMetrics& font, const QString& label, int room);

/// Returns as much of a label and a size as fits into `room` pixels: "forward (model.py:39)  6.22 GiB", then
/// with the end of the function cut, then without function, then without size; empty if no name fits. A label
/// without a place is shortened at its end.
QString fittingLabel(const QFontMetrics& font, const QString& label, const QString& size, int room);

/// Paints a text at the left of a box of the colour `band`, and records it for tests. `whole` is the text
/// without shortening.
void paintBoxLabel(QPainter& painter, const QRectF& box, const QColor& band, Ground ground,
    const QString& text, const QString& whole);

} // namespace highwater::gui
