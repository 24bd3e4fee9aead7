#include "app/views/charts/memory_gauge.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"

namespace highwater::gui {

namespace {
constexpr int kWidth = 360;
constexpr int kLeastGauge = 140; ///< enough for the used figure
constexpr int kBar = 8;
constexpr int kBelowBar = 3;
constexpr int kEndMark = 2;
constexpr int kGaugeGap = 12;
} // namespace

MemoryGauge::MemoryGauge(QWidget* parent)
    : QWidget(parent)
{
    named(this, "gauge", tr("Memory in use, reserved and available"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setMaximumWidth(kWidth);
    setFont(smallFont(font()));
    setCursor(Qt::PointingHandCursor);
}

void MemoryGauge::setFigures(const GaugeFigures& figures)
{
    m_figures = figures;
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

void MemoryGauge::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

QString MemoryGauge::text() const
{
    QStringList parts{m_figures.usedText, m_figures.reservedText, m_figures.capacityText};
    parts.removeAll({});
    const QString figures = parts.join(QStringLiteral(", "));
    return m_figures.moment.isEmpty() || figures.isEmpty()
        ? figures
        : QStringLiteral("%1: %2").arg(m_figures.moment, figures);
}

QSize MemoryGauge::sizeHint() const
{
    return {kWidth, barTop() + kBar + kBelowBar + fontMetrics().height()};
}

QSize MemoryGauge::minimumSizeHint() const
{
    return {kLeastGauge, sizeHint().height()};
}

/// Returns where the bar begins: below the line of the moment, if there is one.
int MemoryGauge::barTop() const
{
    return m_figures.moment.isEmpty() ? 0 : fontMetrics().height() + kBelowBar;
}

void MemoryGauge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Bytes whole = std::max(
        {m_figures.scale, m_figures.used, m_figures.reserved, m_figures.capacity.value_or(0), Bytes{1}});
    const auto xOf = [&](Bytes bytes) {
        return static_cast<int>(static_cast<double>(bytes) / static_cast<double>(whole) * width());
    };
    const int top = barTop();
    painter.fillRect(0, top, width(), kBar, m_colors.hover);
    const std::vector<PlacedText> texts = placedTexts();
    // Two gauges with one scale stay alike.
    if (m_figures.scale > 0 || m_figures.reservedText.isEmpty()
        || std::ranges::any_of(texts, &PlacedText::isReserved))
        painter.fillRect(0, top, xOf(m_figures.reserved), kBar, m_colors.reservedEdge);
    painter.fillRect(0, top, xOf(m_figures.used), kBar, m_colors.quietText);
    const bool isMarked = m_figures.ranOut || (m_figures.scale > 0 && m_figures.capacity);
    if (isMarked) {
        const int end = m_figures.scale > 0 ? xOf(m_figures.capacity.value_or(whole)) : width();
        painter.fillRect(
            end - kEndMark, top, kEndMark, kBar, m_figures.ranOut ? m_colors.danger : m_colors.text);
    }
    for (const PlacedText& shown : texts) {
        painter.setPen(shown.isUsed ? m_colors.text : m_colors.quietText);
        painter.drawText(shown.place, static_cast<int>(shown.side | Qt::AlignTop), shown.text);
    }
}

QStringList MemoryGauge::shownTexts() const
{
    QStringList texts;
    for (const PlacedText& shown : placedTexts())
        texts << shown.text;
    return texts;
}

/// Places the capacity in any case: in the line of the used figure if both fit, else in that of the moment,
/// or in place of the used figure where there is no moment. Then the reserved figure, also in one of these
/// lines, rather than the moment, because nothing else names that part of the bar; without a capacity, even
/// if it is cut. Then the moment if it has room. Texts that are too long lose words.
std::vector<MemoryGauge::PlacedText> MemoryGauge::placedTexts() const
{
    const auto widthOf = [this](const QString& text) {
        return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + kGaugeGap;
    };
    QRect upperLine(0, 0, width(), fontMetrics().height());
    const QRect lowerLine = upperLine.translated(0, barTop() + kBar + kBelowBar);
    std::vector<PlacedText> placed{{lowerLine, Qt::AlignLeft, m_figures.usedText, /*isUsed=*/true}};
    const bool hasMoment = !m_figures.moment.isEmpty();
    int room = width() - widthOf(m_figures.usedText);
    const int capacity = widthOf(m_figures.capacityText);
    if (capacity - kGaugeGap <= room) {
        placed.push_back({lowerLine, Qt::AlignRight, m_figures.capacityText});
        room -= capacity;
    } else if (hasMoment) {
        placed.push_back({upperLine, Qt::AlignLeft, m_figures.capacityText});
        upperLine.setLeft(capacity);
    } else if (capacity > 0) {
        placed.front() = {lowerLine, Qt::AlignLeft, m_figures.capacityText};
        room = 0;
    }
    const int moment = widthOf(m_figures.moment);
    const int reserved = widthOf(m_figures.reservedText);
    const bool fitsAbove = moment + reserved - kGaugeGap <= upperLine.width();
    if (reserved - kGaugeGap <= room) {
        placed.push_back({lowerLine.adjusted(widthOf(m_figures.usedText), 0, 0, 0), Qt::AlignLeft,
            m_figures.reservedText, /*isUsed=*/false, /*isReserved=*/true});
    } else if (hasMoment && reserved > 0 && (reserved - kGaugeGap <= upperLine.width() || capacity == 0)) {
        placed.push_back({upperLine, fitsAbove ? Qt::AlignRight : Qt::AlignLeft, m_figures.reservedText,
            /*isUsed=*/false, /*isReserved=*/true});
        upperLine.setRight(upperLine.right() - (fitsAbove ? reserved : upperLine.width()));
    }
    if (upperLine.width() == width() || moment - kGaugeGap <= upperLine.width())
        placed.push_back({upperLine, Qt::AlignLeft, m_figures.moment});
    std::erase_if(placed, [](const PlacedText& text) { return text.text.isEmpty(); });
    for (PlacedText& text : placed)
        text.text = shortenedTo(text.place.width(), text.text, fontMetrics());
    return placed;
}

void MemoryGauge::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        emit clicked();
}

} // namespace highwater::gui
