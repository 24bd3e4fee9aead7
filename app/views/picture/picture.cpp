#include "app/views/picture/picture.h"

#include <QGuiApplication>
#include <QPainter>

#include "app/views/picture/figure_painter.h"

namespace highwater::gui {

Picture::Picture(Figure figure)
    : m_size(figure.width, figure.height)
    , m_figure(std::move(figure))
{
}

Picture::Picture(const QSizeF& size, std::function<void(QPainter&)> paint)
    : m_size(size)
    , m_paint(std::move(paint))
{
}

void Picture::paint(QPainter& painter) const
{
    if (m_paint)
        return m_paint(painter);
    painter.setFont(QGuiApplication::font());
    paintFigure(painter, m_figure);
}

} // namespace highwater::gui
