#pragma once

#include <qcustomplot.h>

namespace highwater::gui {

/// A QCustomPlot that paints itself with one plain copy. The library draws on a transparent picture, fills
/// the widget and blends the picture over it; here the picture has the background already.
class PlotCanvas : public QCustomPlot
{
    Q_OBJECT

public:
    explicit PlotCanvas(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace highwater::gui
