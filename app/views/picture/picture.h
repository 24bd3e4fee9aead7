#pragma once

#include <functional>

#include <QSizeF>

#include "core/figure/drawing/figure.h"

class QPainter;

namespace highwater::gui {

/// A picture to copy or save: a figure with its geometry, or a function that paints at any scale. Sizes are
/// in pixels at scale 1.
class Picture
{
public:
    /// Makes an empty picture.
    Picture() = default;
    Picture(Figure figure);
    /// `paint` paints the picture with its upper left corner at the origin, one unit per pixel of `size`.
    Picture(const QSizeF& size, std::function<void(QPainter&)> paint);

    bool isEmpty() const { return m_size.isEmpty(); }
    QSizeF size() const { return m_size; }
    /// Returns the figure, which the picture owns; null if the picture is a function.
    const Figure* figure() const { return m_paint ? nullptr : &m_figure; }
    void paint(QPainter& painter) const;

private:
    QSizeF m_size;
    Figure m_figure;
    std::function<void(QPainter&)> m_paint; ///< null if m_figure is painted
};

} // namespace highwater::gui
