#include "app/timeline/parts/plot_canvas.h"

#include <QPaintEvent>

namespace highwater::gui {

/// A paint buffer for the layers of a plot that is filled with the background first, and so is opaque.
class OpaqueBuffer : public QCPAbstractPaintBuffer
{
public:
    /// `background` belongs to the plot and must outlive the buffer.
    OpaqueBuffer(const QSize& size, double pixelRatio, const QBrush& background)
        : QCPAbstractPaintBuffer(size, pixelRatio)
        , m_background(background)
    {
        OpaqueBuffer::reallocateBuffer();
    }

    QCPPainter* startPainting() override { return new QCPPainter(&m_picture); }
    void draw(QCPPainter* painter) const override { painter->drawImage(0, 0, m_picture); }
    void clear(const QColor&) override
    {
        m_cleared = m_background.color();
        m_picture.fill(m_cleared);
    }
    /// Colour that the buffer was last cleared with.
    const QColor& background() const { return m_cleared; }
    QImage& picture() { return m_picture; }

protected:
    void reallocateBuffer() override
    {
        m_picture = QImage(mSize * mDevicePixelRatio, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(mDevicePixelRatio);
    }

private:
    const QBrush& m_background;
    QColor m_cleared;
    QImage m_picture;
};

PlotCanvas::PlotCanvas(QWidget* parent)
    : QCustomPlot(parent)
    , m_buffer(QSharedPointer<OpaqueBuffer>::create(size(), bufferDevicePixelRatio(), mBackgroundBrush))
{
    mPaintBuffers.prepend(m_buffer);
}

QImage* PlotCanvas::layerPictureOf(const QPainter& painter) const
{
    return painter.device() == &m_buffer->picture() ? &m_buffer->picture() : nullptr;
}

/// Paints rectangle by rectangle. With a clip of any other shape Qt hands even a few pixels to other threads
/// and waits for them.
void PlotCanvas::paintEvent(QPaintEvent* event)
{
    if (m_buffer->background() != mBackgroundBrush.color()) // not drawn since the background changed
        replot(QCustomPlot::rpQueuedRefresh);
    QCPPainter painter(this);
    for (const QRect& rect : event->region()) {
        painter.setClipRect(rect);
        for (const QSharedPointer<QCPAbstractPaintBuffer>& buffer : mPaintBuffers)
            buffer->draw(&painter);
    }
}

} // namespace highwater::gui
