#include "app/views/charts/legend_extras.h"

#include <QPainter>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr int kExtraSwatch = 10;
constexpr int kExtraGap = 6; ///< between swatch, label and bytes
constexpr int kBetweenExtras = 14;

AllocationIndex largestKept(const DeviceAnalysis& analysis)
{
    AllocationIndex largest = 0;
    Bytes bytes = -1;
    for (AllocationIndex i = 0; i < analysis.allocations.size(); ++i)
        if (analysis.held->from(i) != KeptBlocks::kNever && analysis.allocations.bytes(i) > bytes) {
            largest = i;
            bytes = analysis.allocations.bytes(i);
        }
    return largest;
}

Bytes keptBytes(const DeviceAnalysis& analysis, std::int64_t event)
{
    std::vector<AllocationIndex> live;
    analysis.live.liveAt(event, live);
    Bytes bytes = 0;
    for (const AllocationIndex i : live)
        if (analysis.held->isHeld(i, event))
            bytes += analysis.allocations.bytes(i);
    return bytes;
}

QString figureOf(std::optional<Bytes> bytes)
{
    return bytes.value_or(0) == 0 ? QStringLiteral("–") : bytesText(*bytes);
}

} // namespace

void LegendExtras::follow(const BandView& view, std::int64_t event, const ThemeColors& colors)
{
    const DeviceAnalysis& analysis = *view.analysis();
    m_colors = colors;
    m_entries.clear();
    if (analysis.held->isAny()) {
        if (m_analysis != view.analysis()) {
            m_analysis = view.analysis();
            m_keptExample = largestKept(analysis);
        }
        m_keptColor = QColor::fromRgb(view.palette()->shade(m_keptExample, colors.ground(), true));
        m_entries.push_back({true, keptBytes(analysis, event)});
    }
    if (analysis.curve.reservedPeak() > 0)
        m_entries.push_back({false, analysis.curve.reservedAt(event)});
}

QString LegendExtras::text() const
{
    QStringList parts;
    for (const Entry& entry : m_entries)
        parts << QStringLiteral("%1: %2").arg(
            entry.isKept ? QObject::tr("kept from earlier steps") : QObject::tr("reserved"),
            figureOf(entry.bytes));
    return parts.join(QStringLiteral(", "));
}

bool LegendExtras::isShown(const Entry& entry) const
{
    return m_form != Form::None && (entry.isKept || m_form != Form::KeptOnly);
}

QString LegendExtras::labelOf(const Entry& entry) const
{
    if (!entry.isKept)
        return QObject::tr("reserved");
    return m_form == Form::Full ? QObject::tr("kept from earlier steps") : QObject::tr("kept");
}

int LegendExtras::widthOf(const Entry& entry, TextCache& texts) const
{
    return kExtraSwatch + kExtraGap + texts.width(labelOf(entry)) + kExtraGap
        + texts.width(QStringLiteral("999.99 MiB"));
}

int LegendExtras::width(TextCache& texts) const
{
    int width = 0;
    for (const Entry& entry : m_entries)
        if (isShown(entry))
            width += widthOf(entry, texts) + kBetweenExtras;
    return width;
}

/// Paints hatching as in the bands, or the line of reserved bytes over the area below it.
void LegendExtras::paintSwatch(QPainter& painter, const Entry& entry, const QRect& where) const
{
    painter.fillRect(where, entry.isKept ? m_keptColor : m_colors.reserved);
    if (!entry.isKept) {
        painter.fillRect(where.left(), where.top(), where.width(), 2, m_colors.reservedEdge);
        return;
    }
    QColor line = Qt::white;
    line.setAlphaF(2 * static_cast<float>(hatchStrength(m_colors.dark))); // the swatch is small
    for (int x = 0; x < where.width(); ++x)
        for (int y = 0; y < where.height(); ++y)
            if ((x + where.height() - 1 - y) % (kHatchPeriod / 2) == 0)
                painter.fillRect(where.left() + x, where.top() + y, 1, 1, line);
}

void LegendExtras::paint(QPainter& painter, const QRect& where, TextCache& texts) const
{
    const int top = where.top() + (where.height() - texts.lineHeight()) / 2;
    int left = where.left();
    for (const Entry& entry : m_entries) {
        if (!isShown(entry))
            continue;
        paintSwatch(
            painter, entry, {left, where.center().y() - kExtraSwatch / 2, kExtraSwatch, kExtraSwatch});
        const QString label = labelOf(entry);
        const int textLeft = left + kExtraSwatch + kExtraGap;
        painter.setPen(entry.bytes.value_or(0) == 0 ? m_colors.quietText : m_colors.text);
        texts.drawOn(painter, QPoint(textLeft, top), label, m_colors.surface);
        painter.setPen(m_colors.quietText);
        texts.draw(painter, QPoint(textLeft + texts.width(label) + kExtraGap, top), figureOf(entry.bytes));
        left += widthOf(entry, texts) + kBetweenExtras;
    }
}

QString LegendExtras::tipAt(int x, int left, TextCache& texts) const
{
    for (const Entry& entry : m_entries) {
        if (!isShown(entry))
            continue;
        const int right = left + widthOf(entry, texts);
        if (x >= left && x < right)
            return entry.isKept
                ? QObject::tr("%1 kept from earlier steps, hatched in the timeline: allocated in an earlier "
                              "step\nand still in use after the step that followed it")
                      .arg(figureOf(entry.bytes))
                : QObject::tr("%1 reserved by the allocator: the line above the bands")
                      .arg(figureOf(entry.bytes));
        left = right + kBetweenExtras;
    }
    return {};
}

} // namespace highwater::gui
