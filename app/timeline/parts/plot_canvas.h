#pragma once

#include <qcustomplot.h>

namespace highwater::gui {

class OpaqueBuffer;

/// A QCustomPlot that copies one opaque picture to the screen. The library itself draws on a transparent
/// picture, fills the widget and blends the picture over it, which takes longer. Here the picture already
/// includes the background.
class PlotCanvas : public QCustomPlot
{
    Q_OBJECT

public:
    explicit PlotCanvas(QWidget* parent = nullptr);

    /// Returns the picture of the layers if the painter draws on it, so that its pixels can be written
    /// directly; null if it draws elsewhere, as for an export. Opaque, with `bufferDevicePixelRatio` pixels
    /// per unit.
    QImage* layerPictureOf(const QPainter& painter) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSharedPointer<OpaqueBuffer> m_buffer;
};

} // namespace highwater::gui
