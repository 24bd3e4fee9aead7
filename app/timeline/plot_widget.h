#pragma once

#include <QTimer>
#include <QWidget>

class QCustomPlot;

namespace highwater::gui {

/// A widget that draws with a QCustomPlot. Mouse events come to the widget, and go on to the plot where a
/// subclass does not handle them.
///
/// The plot is a child, not the base class, because the library's header reads all of Qt's widgets: only the
/// .cpp files that draw include it.
class PlotWidget : public QWidget
{
    Q_OBJECT

public:
    explicit PlotWidget(QWidget* parent = nullptr);

    /// Covers the whole widget, which owns it.
    QCustomPlot& canvas() const { return *m_canvas; }
    /// The same, for those who do not draw: it is the one that receives paint events.
    QWidget& canvasWidget() const;
    /// Draws the plot once for all calls before the next turn of the event loop.
    void replotLater() { m_replot.start(); }
    /// Draws it now, and not again for calls of replotLater() before.
    void replotNow();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    QCustomPlot* m_canvas;
    QTimer m_replot; ///< runs while a replot is due
};

} // namespace highwater::gui
