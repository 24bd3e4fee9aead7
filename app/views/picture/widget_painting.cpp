#include "app/views/picture/widget_painting.h"

#include <QPainter>
#include <QPicture>
#include <QScrollBar>
#include <QWidget>

#include <qcustomplot.h>

#include "app/timeline/plot_widget.h"

namespace highwater::gui {

namespace {

/// Records the layers of the plot itself; the widgets over it, such as the cursor, are painted after it.
QPicture recordedPlot(const PlotWidget& plot)
{
    QPicture layers;
    QCPPainter recorder(&layers);
    plot.canvas().toPainter(&recorder, plot.width(), plot.height());
    recorder.end();
    return layers;
}

/// Records what the widget itself paints. A recording takes any transformation when it is played, whereas
/// QWidget::render() knows only that of an image.
QPicture recordedWidget(QWidget& widget, const QRect& part, QWidget::RenderFlags flags)
{
    QPicture own;
    QPainter recorder(&own);
    widget.render(&recorder, part.topLeft(), QRegion(part), flags);
    recorder.end();
    return own;
}

/// Paints the part of a widget that its parents do not cut off. The background of the window is painted only
/// below the outermost widget.
void paintPart(QPainter& painter, QWidget& widget, const QPoint& position, const QRect& part,
    QWidget::RenderFlags flags = {})
{
    if (part.isEmpty())
        return;
    const auto* plot = qobject_cast<const PlotWidget*>(&widget);
    painter.save();
    painter.setClipRect(part.translated(position), Qt::IntersectClip);
    painter.drawPicture(position, plot ? recordedPlot(*plot) : recordedWidget(widget, part, flags));
    painter.restore();
    for (QObject* child : widget.children()) {
        auto* const inner = qobject_cast<QWidget*>(child);
        if (inner && !inner->isHidden() && !inner->isWindow() && !qobject_cast<QScrollBar*>(inner)
            && !(plot && inner == &plot->canvasWidget()))
            paintPart(painter, *inner, position + inner->pos(),
                inner->rect().intersected(part.translated(-inner->pos())));
    }
}

} // namespace

void paintWidget(QPainter& painter, QWidget& widget)
{
    QEvent leave(QEvent::Leave); // nothing under the mouse is highlighted
    QCoreApplication::sendEvent(&widget, &leave);
    paintPart(painter, widget, {}, widget.rect(), QWidget::DrawWindowBackground);
}

Picture pictureOf(QWidget& widget)
{
    return {QSizeF(widget.size()), [&widget](QPainter& painter) { paintWidget(painter, widget); }};
}

} // namespace highwater::gui
