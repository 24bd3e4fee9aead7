#include "app/timeline/plot_widget.h"

#include <QCoreApplication>

#include "app/timeline/parts/plot_canvas.h"

namespace highwater::gui {

PlotWidget::PlotWidget(QWidget* parent)
    : QWidget(parent)
    , m_canvas(new PlotCanvas(this))
{
    setMouseTracking(true);
    m_canvas->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_canvas->setFocusPolicy(Qt::NoFocus);
    m_replot.setSingleShot(true);
    connect(&m_replot, &QTimer::timeout, this, &PlotWidget::replotNow);
}

QWidget& PlotWidget::canvasWidget() const
{
    return *m_canvas;
}

void PlotWidget::replotNow()
{
    m_replot.stop();
    m_canvas->replot(QCustomPlot::rpQueuedRefresh);
}

void PlotWidget::resizeEvent(QResizeEvent* event)
{
    if (event->size().isEmpty()) // nothing to paint on
        return;
    m_canvas->setGeometry(rect());
    m_canvas->setViewport(rect()); // a hidden child gets its new size only when it is shown
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
