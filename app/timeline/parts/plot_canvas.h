#pragma once

#include <qcustomplot.h>

namespace highwater::gui {

class OpaqueBuffer;

/// A QCustomPlot that paints itself with one plain copy. The library draws on a transparent picture, fills
/// the widget and blends the picture over it; here the picture has the background already.
class PlotCanvas : public QCustomPlot
{
    Q_OBJECT

public:
    explicit PlotCanvas(QWidget* parent = nullptr);

    /// The picture that the layers are drawn on, where the painter draws on it, for pixels to be written at
    /// once; null: it draws elsewhere, as for an export. Opaque, with `bufferDevicePixelRatio` pixels a unit.
    QImage* pictureUnder(const QPainter& painter) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSharedPointer<OpaqueBuffer> m_buffer;
};

} // namespace highwater::gui
