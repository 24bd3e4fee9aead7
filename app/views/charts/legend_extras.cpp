#include "app/views/charts/legend_extras.h"

#include <QPainter>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// The peak divided by this is thinner than a pixel in a plot of usual height.
constexpr int kPixelDivisor = 2000;

/// True if so much is ever kept that its hatching is seen. O(allocations).
bool isKeptSeen(const DeviceAnalysis& analysis)
{
    Bytes all = 0;
    for (AllocationIndex i = 0; i < analysis.allocations.size(); ++i)
        if (analysis.keptBlocks->keptSince(i) != KeptBlocks::kNever)
            all += analysis.allocations.bytes(i);
    return all > 0 && all >= analysis.figures.peakBytes / kPixelDivisor;
}

/// Returns the bytes that are live right after an event and kept from earlier steps.
Bytes keptBytes(const DeviceAnalysis& analysis, std::int64_t event)
{
    std::vector<AllocationIndex> live;
    analysis.live.liveAt(event, live);
    Bytes bytes = 0;
    for (const AllocationIndex i : live)
        if (analysis.keptBlocks->isKept(i, event))
            bytes += analysis.allocations.bytes(i);
    return bytes;
}

/// Returns a dash for no bytes and for unknown ones.
QString bytesOrDash(std::optional<Bytes> bytes)
{
    return bytes.value_or(0) == 0 ? QStringLiteral("–") : bytesText(*bytes);
}

} // namespace

void LegendExtras::follow(const BandView& view, std::int64_t event, const ThemeColors& colors)
{
    const DeviceAnalysis& analysis = *view.analysis();
    m_colors = colors;
    m_entries.clear();
    if (analysis.keptBlocks->isAny()) {
        if (m_analysis != view.analysis()) {
            m_analysis = view.analysis();
            m_keptAtPeak = keptBytes(analysis, analysis.curve.peak().event);
            m_isKeptSeen = isKeptSeen(analysis);
        }
        if (m_isKeptSeen)
            m_entries.push_back({true, keptBytes(analysis, event), m_keptAtPeak});
    }
    if (analysis.curve.reservedPeak() > 0) {
        const auto [peakEvent, peakBytes] = analysis.curve.peak();
        const Bytes unused = analysis.curve.reservedAt(peakEvent).value_or(peakBytes) - peakBytes;
        m_entries.push_back({false, analysis.curve.reservedAt(event), unused});
    }
}

QString LegendExtras::text() const
{
    QStringList parts;
    for (const Entry& entry : m_entries)
        parts << QStringLiteral("%1: %2").arg(
            entry.isKept ? QObject::tr("of this kept from earlier steps") : QObject::tr("reserved"),
            bytesOrDash(entry.bytes));
    return parts.join(QStringLiteral(", "));
}

QString LegendExtras::labelOf(const Entry& entry)
{
    return entry.isKept ? QObject::tr("kept from earlier steps") : QObject::tr("reserved");
}

/// Paints hatching without a colour, since bands of every colour have it, or the line of reserved bytes over
/// the area below it.
void LegendExtras::paintSwatch(QPainter& painter, const Entry& entry, const QRect& where) const
{
    if (entry.isKept) {
        painter.fillRect(where, QBrush(m_colors.quietText, Qt::FDiagPattern));
        painter.setPen(m_colors.quietText);
        painter.drawRect(where.adjusted(0, 0, -1, -1));
        return;
    }
    painter.fillRect(where, m_colors.reserved);
    painter.fillRect(where.left(), where.top(), where.width(), 2, m_colors.reservedEdge);
}

void LegendExtras::paint(
    QPainter& painter, const Entry& entry, const LegendPlace& place, int height, TextCache& texts) const
{
    const int top = 1 + (height - 1 - texts.lineHeight()) / 2;
    paintSwatch(painter, entry, {place.left, height / 2 - kLegendSwatch / 2, kLegendSwatch, kLegendSwatch});
    const QString label = labelOf(entry);
    const int textLeft = place.left + kLegendSwatch + kLegendGap;
    painter.setPen(entry.bytes.value_or(0) == 0 ? m_colors.quietText : m_colors.text);
    texts.drawOn(painter, QPoint(textLeft, top), label, m_colors.surface);
    if (!place.hasFigure)
        return;
    painter.setPen(m_colors.quietText);
    texts.draw(painter, QPoint(textLeft + texts.width(label) + kLegendGap, top), bytesOrDash(entry.bytes));
}

QString LegendExtras::tipOf(const Entry& entry)
{
    return entry.isKept
        ? QObject::tr("%1 kept from earlier steps, hatched in the timeline: allocated in an earlier "
                      "step\nand still in use after the step that followed it. The groups include it")
              .arg(bytesOrDash(entry.bytes))
        : QObject::tr("%1 reserved by the allocator: the line above the bands").arg(bytesOrDash(entry.bytes));
}

} // namespace highwater::gui
