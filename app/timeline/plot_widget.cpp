#include "app/timeline/plot_widget.h"

#include <QCoreApplication>

#include <qcustomplot.h>

namespace highwater::gui {

PlotWidget::PlotWidget(QWidget* parent)
    : QWidget(parent)
    , m_canvas(new QCustomPlot(this))
{
    setMouseTracking(true);
    m_canvas->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_canvas->setFocusPolicy(Qt::NoFocus);
}

QWidget& PlotWidget::canvasWidget() const
{
    return *m_canvas;
}

void PlotWidget::replotLater()
{
    m_canvas->replot(QCustomPlot::rpQueuedReplot);
}

void PlotWidget::resizeEvent(QResizeEvent* event)
{
    if (event->size().isEmpty()) // there is nothing to paint on
        return;
    m_canvas->setGeometry(rect());
    m_canvas->setViewport(rect()); // a hidden child hears of its new size only when it is shown
}

void PlotWidget::mousePressEvent(QMouseEvent* event)
{
    QCoreApplication::sendEvent(m_canvas, event);
}

void PlotWidget::mouseMoveEvent(QMouseEvent* event)
{
    QCoreApplication::sendEvent(m_canvas, event);
}

void PlotWidget::mouseReleaseEvent(QMouseEvent* event)
{
    QCoreApplication::sendEvent(m_canvas, event);
}

void PlotWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    QCoreApplication::sendEvent(m_canvas, event);
}

void PlotWidget::wheelEvent(QWheelEvent* event)
{
    QCoreApplication::sendEvent(m_canvas, event);
}

} // namespace highwater::gui
