#include "tests/app/labels/text_device.h"

#include <algorithm>
#include <optional>

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

namespace highwater::gui::test {

/// Paints everything except the texts on one image, and everything on another, so that anything painted over
/// a text shows.
class TextDevice::Engine : public QPaintEngine
{
public:
    explicit Engine(const QSize& size)
        : QPaintEngine(QPaintEngine::AllFeatures)
        , m_plain(size, QImage::Format_RGB32)
        , m_whole(size, QImage::Format_RGB32)
    {
        m_plain.fill(Qt::white);
        m_whole.fill(Qt::white);
    }

    bool begin(QPaintDevice*) override
    {
        m_onPlain = std::make_unique<QPainter>(&m_plain);
        m_onWhole = std::make_unique<QPainter>(&m_whole);
        m_clip.reset();
        m_transform = {};
        return true;
    }

    bool end() override
    {
        m_onPlain.reset();
        m_onWhole.reset();
        return true;
    }

    Type type() const override { return QPaintEngine::User; }

    void updateState(const QPaintEngineState& now) override
    {
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyTransform)
            m_transform = now.transform();
        if (dirty & DirtyClipPath)
            takeClip(now.clipOperation(), m_transform.map(now.clipPath()));
        if (dirty & DirtyClipRegion) {
            QPainterPath path;
            path.addRegion(now.clipRegion());
            takeClip(now.clipOperation(), m_transform.map(path));
        }
        if ((dirty & DirtyClipEnabled) && !now.isClipEnabled())
            m_clip.reset();
        for (QPainter* painter : {m_onPlain.get(), m_onWhole.get()}) {
            painter->setPen(now.pen());
            painter->setBrush(now.brush());
            painter->setBrushOrigin(now.brushOrigin());
            painter->setBackground(now.backgroundBrush());
            painter->setBackgroundMode(now.backgroundMode());
            painter->setRenderHints(painter->renderHints(), false);
            painter->setRenderHints(now.renderHints());
            painter->setCompositionMode(now.compositionMode());
            painter->setOpacity(now.opacity());
        }
        m_pen = now.pen();
        m_opacity = now.opacity();
    }

    void drawPath(const QPainterPath& path) override
    {
        onBoth([&](QPainter& painter) { painter.drawPath(path); });
    }
    void drawRects(const QRectF* rects, int count) override
    {
        onBoth([&](QPainter& painter) { painter.drawRects(rects, count); });
        if (m_onPlain->brush().isOpaque() && m_opacity == 1)
            for (int i = 0; i < count; ++i)
                cover(m_transform.mapRect(rects[i]));
    }
    void drawLines(const QLineF* lines, int count) override
    {
        onBoth([&](QPainter& painter) { painter.drawLines(lines, count); });
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        onBoth([&](QPainter& painter) {
            if (mode == PolylineMode)
                painter.drawPolyline(points, count);
            else
                painter.drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        });
    }
    void drawPixmap(const QRectF& onto, const QPixmap& pixmap, const QRectF& part) override
    {
        onBoth([&](QPainter& painter) { painter.drawPixmap(onto, pixmap, part); });
    }
    void drawImage(
        const QRectF& onto, const QImage& image, const QRectF& part, Qt::ImageConversionFlags flags) override
    {
        onBoth([&](QPainter& painter) { painter.drawImage(onto, image, part, flags); });
    }
    void drawTiledPixmap(const QRectF& onto, const QPixmap& pixmap, const QPointF& from) override
    {
        onBoth([&](QPainter& painter) { painter.drawTiledPixmap(onto, pixmap, from); });
    }

    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QString text = item.text();
        if (!std::any_of(text.begin(), text.end(), [](QChar each) { return each.isLetterOrNumber(); }))
            return; // a swatch or a dash, which nobody reads
        const QFontMetricsF metrics(item.font());
        QRectF glyphs = metrics.tightBoundingRect(text);
        const double stretched = item.width() / std::max(1.0, metrics.horizontalAdvance(text));
        glyphs = QRectF(glyphs.left() * stretched, glyphs.top(), glyphs.width() * stretched, glyphs.height());
        DrawnText drawn;
        drawn.text = text;
        drawn.ink = m_transform.mapRect(glyphs.translated(at));
        drawn.clip = clipRect();
        drawn.color = m_pen.color();
        drawn.color.setAlphaF(static_cast<float>(drawn.color.alphaF() * m_opacity));
        const QRect pixels = seen(drawn);
        drawn.background = m_plain.copy(pixels);
        clip(*m_onWhole);
        const QImage before = m_whole.copy(pixels);
        m_onWhole->setFont(item.font());
        m_onWhole->drawText(at, text);
        m_before.push_back(before);
        m_after.push_back(m_whole.copy(pixels));
        m_texts.push_back(drawn);
    }

    /// Returns the texts with the share of their ink that was painted over.
    const std::vector<DrawnText>& texts()
    {
        for (std::size_t i = 0; i < m_texts.size(); ++i) {
            const QImage now = m_whole.copy(seen(m_texts[i]));
            int ink = 0;
            int lost = 0;
            for (int y = 0; y < now.height(); ++y)
                for (int x = 0; x < now.width(); ++x)
                    if (m_before[i].pixel(x, y) != m_after[i].pixel(x, y)) {
                        ++ink;
                        lost += now.pixel(x, y) != m_after[i].pixel(x, y);
                    }
            if (m_texts[i].hidden < 1)
                m_texts[i].hidden = ink == 0 ? 1 : static_cast<double>(lost) / ink;
        }
        return m_texts;
    }

private:
    /// Marks texts under an opaque fill as hidden, even if something is painted on the fill later.
    void cover(const QRectF& filled)
    {
        QRegion region(filled.toRect());
        if (const QRegion system = systemClip(); !system.isEmpty())
            region &= system;
        if (m_clip)
            region &= m_clip->boundingRect().toRect();
        for (DrawnText& text : m_texts)
            if (text.hidden < 1 && (QRegion(seen(text)) - region).isEmpty())
                text.hidden = 1;
    }

    void takeClip(Qt::ClipOperation operation, const QPainterPath& path)
    {
        if (operation == Qt::NoClip)
            m_clip.reset();
        else if (operation == Qt::IntersectClip && m_clip)
            m_clip = m_clip->intersected(path);
        else
            m_clip = path;
    }

    void clip(QPainter& painter) const
    {
        painter.resetTransform();
        painter.setClipping(false);
        if (const QRegion system = systemClip(); !system.isEmpty())
            painter.setClipRegion(system);
        if (m_clip)
            painter.setClipPath(*m_clip, Qt::IntersectClip);
        painter.setTransform(m_transform);
    }

    QRectF clipRect() const
    {
        QRectF rect(m_plain.rect());
        if (const QRegion system = systemClip(); !system.isEmpty())
            rect = system.boundingRect();
        return m_clip ? rect.intersected(m_clip->boundingRect()) : rect;
    }

    QRect seen(const DrawnText& text) const
    {
        return text.ink.intersected(text.clip).toAlignedRect().intersected(m_plain.rect());
    }

    template <typename Paint>
    void onBoth(const Paint& paint)
    {
        for (QPainter* painter : {m_onPlain.get(), m_onWhole.get()}) {
            clip(*painter);
            paint(*painter);
        }
    }

    QImage m_plain;
    QImage m_whole;
    std::unique_ptr<QPainter> m_onPlain;
    std::unique_ptr<QPainter> m_onWhole;
    std::optional<QPainterPath> m_clip; ///< in the pixels of the device
    QTransform m_transform;
    QPen m_pen;
    double m_opacity = 1;
    std::vector<DrawnText> m_texts;
    std::vector<QImage> m_before; ///< for each text, its area before it was painted
    std::vector<QImage> m_after;
};

TextDevice::TextDevice(const QSize& size)
    : m_size(size)
    , m_engine(std::make_unique<Engine>(size))
{
}

TextDevice::~TextDevice() = default;

const std::vector<DrawnText>& TextDevice::texts()
{
    return m_engine->texts();
}

QPaintEngine* TextDevice::paintEngine() const
{
    return m_engine.get();
}

int TextDevice::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth: return m_size.width();
    case PdmHeight: return m_size.height();
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY: return 96;
    case PdmDepth: return 24;
    case PdmNumColors: return 1 << 24;
    case PdmDevicePixelRatio: return 1;
    default: return QPaintDevice::metric(metric);
    }
}

} // namespace highwater::gui::test
