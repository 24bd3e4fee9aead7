#pragma once

#include <QTimer>
#include <QWidget>

class QCustomPlot;

namespace highwater::gui {

/// A widget that draws with a QCustomPlot. The widget receives mouse events and passes those that a subclass
/// does not handle on to the plot.
///
/// The plot is a child, not the base class, because the library's header includes all of Qt's widgets: only
/// the .cpp files that draw include it.
class PlotWidget : public QWidget
{
    Q_OBJECT

public:
    explicit PlotWidget(QWidget* parent = nullptr);

    /// Returns the plot; it covers the whole widget, which owns it.
    QCustomPlot& canvas() const { return *m_canvas; }
    /// Returns the plot as a plain QWidget, for code that does not include QCustomPlot. It receives the paint
    /// events.
    QWidget& canvasWidget() const;
    /// Redraws the plot once for all calls before the next turn of the event loop.
    void replotLater() { m_replot.start(); }
    /// Redraws the plot now, which also covers earlier calls of replotLater().
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
    QTimer m_replot; ///< runs while a replot is pending
};

} // namespace highwater::gui
