#include "app/views/charts/memory_gauge.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"

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

/// The moment is above the bar, so that the bar is in the middle.
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
    painter.setPen(m_colors.quietText);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop, m_figures.moment);
    painter.translate(0, barTop());
    painter.fillRect(0, 0, width(), kBar, m_colors.button);
    painter.fillRect(0, 0, xOf(m_figures.reserved), kBar, m_colors.reservedEdge);
    painter.fillRect(0, 0, xOf(m_figures.used), kBar, m_colors.quietText);
    const bool isMarked = m_figures.ranOut || (m_figures.scale > 0 && m_figures.capacity);
    if (isMarked) {
        const int end = m_figures.scale > 0 ? xOf(m_figures.capacity.value_or(whole)) : width();
        painter.fillRect(
            end - kEndMark, 0, kEndMark, kBar, m_figures.ranOut ? m_colors.danger : m_colors.text);
    }
    paintFigures(painter, kBar + kBelowBar);
}

/// Paints the used figure in any case, then the capacity if it fits, then the reserved figure if it fits.
void MemoryGauge::paintFigures(QPainter& painter, int top) const
{
    const auto widthOf = [this](const QString& text) {
        return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + kGaugeGap;
    };
    const QRect line(0, top, width(), fontMetrics().height());
    painter.setPen(m_colors.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignTop, m_figures.usedText);
    painter.setPen(m_colors.quietText);
    int room = width() - widthOf(m_figures.usedText);
    if (widthOf(m_figures.capacityText) - kGaugeGap <= room) {
        painter.drawText(line, Qt::AlignRight | Qt::AlignTop, m_figures.capacityText);
        room -= widthOf(m_figures.capacityText);
    }
    if (widthOf(m_figures.reservedText) - kGaugeGap <= room)
        painter.drawText(line.adjusted(widthOf(m_figures.usedText), 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
            m_figures.reservedText);
}

void MemoryGauge::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        emit clicked();
}

} // namespace highwater::gui
