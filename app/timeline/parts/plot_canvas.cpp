#include "app/timeline/parts/plot_canvas.h"

namespace highwater::gui {

namespace {

/// What the layers of a plot are drawn on, opaque from the beginning.
class OpaqueBuffer : public QCPAbstractPaintBuffer
{
public:
    /// `background` is the plot's, and must outlive the buffer.
    OpaqueBuffer(const QSize& size, double pixelRatio, const QBrush& background)
        : QCPAbstractPaintBuffer(size, pixelRatio)
        , m_background(background)
    {
        OpaqueBuffer::reallocateBuffer();
    }

    QCPPainter* startPainting() override { return new QCPPainter(&m_picture); }
    void draw(QCPPainter* painter) const override { painter->drawImage(0, 0, m_picture); }
    void clear(const QColor&) override { m_picture.fill(m_background.color()); }

protected:
    void reallocateBuffer() override
    {
        m_picture = QImage(mSize * mDevicePixelRatio, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(mDevicePixelRatio);
    }

private:
    const QBrush& m_background;
    QImage m_picture;
};

} // namespace

PlotCanvas::PlotCanvas(QWidget* parent)
    : QCustomPlot(parent)
{
    mPaintBuffers.prepend(
        QSharedPointer<OpaqueBuffer>::create(size(), bufferDevicePixelRatio(), mBackgroundBrush));
}

void PlotCanvas::paintEvent(QPaintEvent*)
{
    if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) { // it is on another screen now
        setBufferDevicePixelRatio(devicePixelRatioF());
        replot(QCustomPlot::rpQueuedRefresh);
        return;
    }
    QCPPainter painter(this);
    for (const QSharedPointer<QCPAbstractPaintBuffer>& buffer : mPaintBuffers)
        buffer->draw(&painter);
}

} // namespace highwater::gui
