#include "app/views/picture/svg_device.h"

#include <optional>

#include <QBuffer>
#include <QFontInfo>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPicture>
#include <QPixmap>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Returns the number with up to three decimals.
QString svgNumber(double value)
{
    QString text = QString::number(value, 'f', 3);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

/// Returns the text without characters that are invalid in XML, escaped.
QString svgText(const QString& text)
{
    return toQString(text.toStdString()).toHtmlEscaped();
}

/// Returns the attributes of a colour: its name, and its opacity unless it is opaque.
QString svgPaint(const char* attribute, const QColor& color, double opacity)
{
    const double alpha = color.alphaF() * opacity;
    QString text = QStringLiteral(" %1=\"%2\"").arg(QLatin1String(attribute), color.name());
    if (alpha < 1)
        text += QStringLiteral(" %1-opacity=\"%2\"").arg(QLatin1String(attribute), svgNumber(alpha));
    return text;
}

QString svgPath(const QPainterPath& path)
{
    QString data;
    const auto point = [](const QPainterPath::Element& target) {
        return svgNumber(target.x) + QLatin1Char(',') + svgNumber(target.y) + QLatin1Char(' ');
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        if (element.isMoveTo())
            data += QLatin1Char('M');
        else if (element.isLineTo())
            data += QLatin1Char('L');
        else if (element.isCurveTo())
            data += QLatin1Char('C');
        data += point(element);
    }
    return data.trimmed();
}

QString svgMatrix(const QTransform& matrix)
{
    if (matrix.isIdentity())
        return {};
    return QStringLiteral(" transform=\"matrix(%1 %2 %3 %4 %5 %6)\"")
        .arg(svgNumber(matrix.m11()), svgNumber(matrix.m12()), svgNumber(matrix.m21()),
            svgNumber(matrix.m22()), svgNumber(matrix.dx()), svgNumber(matrix.dy()));
}

/// Returns the style of lines; a cosmetic pen of width 0 is one unit wide.
QString svgStroke(const QPen& pen, double opacity)
{
    if (pen.style() == Qt::NoPen)
        return QStringLiteral(" stroke=\"none\"");
    const double width = pen.widthF() > 0 ? pen.widthF() : 1;
    QString text = svgPaint("stroke", pen.color(), opacity)
        + QStringLiteral(" stroke-width=\"%1\"").arg(svgNumber(width));
    QStringList dashes;
    for (const double length : pen.dashPattern())
        dashes << svgNumber(length * width);
    if (pen.style() != Qt::SolidLine && !dashes.isEmpty())
        text += QStringLiteral(" stroke-dasharray=\"%1\"").arg(dashes.join(QLatin1Char(' ')));
    if (pen.capStyle() == Qt::SquareCap)
        text += QStringLiteral(" stroke-linecap=\"square\"");
    return text;
}

} // namespace

class SvgDevice::Engine : public QPaintEngine
{
public:
    /// Patterns and gradients are not supported: Qt paints them as images then.
    Engine()
        : QPaintEngine(PaintEngineFeatures(AllFeatures)
            & ~PaintEngineFeatures(PatternBrush | LinearGradientFill | RadialGradientFill
                | ConicalGradientFill | PerspectiveTransform | PorterDuff | BlendModes | RasterOpModes))
    {
    }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override
    {
        closeClip();
        return true;
    }
    Type type() const override { return SVG; }

    void updateState(const QPaintEngineState& now) override
    {
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyTransform)
            m_transform = now.transform();
        if (dirty & DirtyClipPath)
            takeClip(now.clipOperation(), m_transform.mapRect(now.clipPath().boundingRect()));
        if (dirty & DirtyClipRegion)
            takeClip(now.clipOperation(), m_transform.mapRect(QRectF(now.clipRegion().boundingRect())));
        if ((dirty & DirtyClipEnabled) && !now.isClipEnabled())
            m_clip.reset();
        m_pen = now.pen();
        m_brush = now.brush();
        m_opacity = now.opacity();
    }

    void drawPath(const QPainterPath& path) override
    {
        write(QStringLiteral("<path d=\"%1\"%2%3%4/>\n")
                  .arg(svgPath(path), fill(path.fillRule()), svgStroke(m_pen, m_opacity),
                      svgMatrix(m_transform)));
    }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        QPainterPath path;
        for (int i = 0; i < count; ++i)
            i == 0 ? path.moveTo(points[i]) : path.lineTo(points[i]);
        if (mode == PolylineMode) {
            write(QStringLiteral("<path d=\"%1\" fill=\"none\"%2%3/>\n")
                      .arg(svgPath(path), svgStroke(m_pen, m_opacity), svgMatrix(m_transform)));
            return;
        }
        path.closeSubpath();
        path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        drawPath(path);
    }

    void drawPixmap(const QRectF& onto, const QPixmap& pixmap, const QRectF& part) override
    {
        drawImage(onto, pixmap.toImage(), part, Qt::AutoColor);
    }

    void drawImage(
        const QRectF& onto, const QImage& image, const QRectF& part, Qt::ImageConversionFlags) override
    {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        image.copy(part.toAlignedRect()).save(&buffer, "PNG");
        // QString::arg would search megabytes of data for places.
        write(QStringLiteral("<image x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" "
                             "preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"%5 "
                             "href=\"data:image/png;base64,")
                  .arg(svgNumber(onto.x()), svgNumber(onto.y()), svgNumber(onto.width()),
                      svgNumber(onto.height()), svgMatrix(m_transform))
            + QLatin1String(png.toBase64()) + QStringLiteral("\"/>\n"));
    }

    void drawTextItem(const QPointF& position, const QTextItem& item) override
    {
        const QString text = item.text();
        if (text.trimmed().isEmpty())
            return;
        const QFont font = item.font();
        const int dpi = QPicture().logicalDpiY();
        const double size = font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * dpi / 72;
        write(QStringLiteral("<text x=\"%1\" y=\"%2\" font-family=\"%3\" font-size=\"%4\" textLength=\"%5\" "
                             "lengthAdjust=\"spacingAndGlyphs\"%6%7%8>")
                  .arg(svgNumber(position.x()), svgNumber(position.y()), svgText(QFontInfo(font).family()),
                      svgNumber(size), svgNumber(item.width()),
                      font.bold() ? QStringLiteral(" font-weight=\"bold\"") : QString(),
                      svgPaint("fill", m_pen.color(), m_opacity), svgMatrix(m_transform))
            + svgText(text) + QStringLiteral("</text>\n"));
    }

    QString content() const { return m_clips + m_content; }

private:
    QString fill(Qt::FillRule rule) const
    {
        if (m_brush.style() == Qt::NoBrush)
            return QStringLiteral(" fill=\"none\"");
        return svgPaint("fill", m_brush.color(), m_opacity)
            + (rule == Qt::OddEvenFill ? QStringLiteral(" fill-rule=\"evenodd\"") : QString());
    }

    void takeClip(Qt::ClipOperation operation, const QRectF& rect)
    {
        if (operation == Qt::NoClip)
            m_clip.reset();
        else if (operation == Qt::IntersectClip && m_clip)
            m_clip = m_clip->intersected(rect);
        else
            m_clip = rect;
    }

    void closeClip()
    {
        if (m_writtenClip)
            m_content += QStringLiteral("</g>\n");
        m_writtenClip.reset();
    }

    /// Writes an element, in a group with the clip; neighbours with one clip share the group.
    void write(const QString& element)
    {
        if (m_writtenClip != m_clip) {
            closeClip();
            if (m_clip) {
                ++m_clipCount;
                m_clips
                    += QStringLiteral("<clipPath id=\"clip%1\"><rect x=\"%2\" y=\"%3\" width=\"%4\" "
                                      "height=\"%5\"/></clipPath>\n")
                           .arg(QString::number(m_clipCount), svgNumber(m_clip->x()), svgNumber(m_clip->y()),
                               svgNumber(m_clip->width()), svgNumber(m_clip->height()));
                m_content += QStringLiteral("<g clip-path=\"url(#clip%1)\">\n").arg(m_clipCount);
                m_writtenClip = m_clip;
            }
        }
        m_content += element;
    }

    QString m_clips;
    QString m_content;
    QTransform m_transform;
    QPen m_pen;
    QBrush m_brush;
    double m_opacity = 1;
    std::optional<QRectF> m_clip; ///< in units of the document
    std::optional<QRectF> m_writtenClip;
    int m_clipCount = 0;
};

SvgDevice::SvgDevice(const QSizeF& size, double unit, QString title)
    : m_size(size)
    , m_unit(unit)
    , m_title(std::move(title))
    , m_engine(std::make_unique<Engine>())
{
}

SvgDevice::~SvgDevice() = default;

QByteArray SvgDevice::document() const
{
    const QString width = svgNumber(m_size.width());
    const QString height = svgNumber(m_size.height());
    const QString head
        = QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" "
                         "viewBox=\"0 0 %3 %4\" role=\"img\">\n")
              .arg(svgNumber(m_size.width() * m_unit), svgNumber(m_size.height() * m_unit), width, height);
    const QString title = QStringLiteral("<title>") + svgText(m_title) + QStringLiteral("</title>\n");
    return (head + title + m_engine->content() + QStringLiteral("</svg>\n")).toUtf8();
}

QPaintEngine* SvgDevice::paintEngine() const
{
    return m_engine.get();
}

/// The resolution is that of recorded pictures, so that they are played without scaling.
int SvgDevice::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth: return qCeil(m_size.width());
    case PdmHeight: return qCeil(m_size.height());
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY: return QPicture().logicalDpiX();
    case PdmDepth: return 32;
    case PdmNumColors: return 1 << 24;
    case PdmDevicePixelRatio: return 1;
    default: return QPaintDevice::metric(metric);
    }
}

} // namespace highwater::gui
