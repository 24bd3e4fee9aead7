#include "app/views/charts/histogram_chart.h"

#include <algorithm>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 12;
constexpr int kGap = 16;
} // namespace

HistogramChart::HistogramChart(Unit unit, QWidget* parent)
    : QWidget(parent)
    , m_unit(unit)
{
    setObjectName(
        unit == Unit::Bytes ? QStringLiteral("sizeHistogram") : QStringLiteral("lifetimeHistogram"));
    setAccessibleName(unit == Unit::Bytes ? tr("Allocations by size") : tr("Allocations by lifetime"));
    setFocusPolicy(Qt::StrongFocus);
}

void HistogramChart::setHistogram(std::shared_ptr<const Histogram> histogram)
{
    m_histogram = std::move(histogram);
    m_chosen.reset();
    m_rowOf.clear();
    for (std::size_t bin = 0; m_histogram && bin < m_histogram->bins.size(); ++bin) {
        const bool shares = bin > 0 && isEmpty(bin) && isEmpty(bin - 1);
        m_rowOf.push_back(bin == 0 ? 0 : m_rowOf.back() + (shares ? 0 : 1));
    }
    setMinimumHeight(minimumSizeHint().height());
    updateGeometry();
    update();
}

void HistogramChart::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

int HistogramChart::rowHeight() const
{
    return fontMetrics().height() + 8;
}

QSize HistogramChart::sizeHint() const
{
    const int rows = m_rowOf.empty() ? 0 : m_rowOf.back() + 1;
    return {600, rowHeight() * (rows + 1) + kMargin};
}

QSize HistogramChart::minimumSizeHint() const
{
    return {300, sizeHint().height()};
}

int HistogramChart::titleWidth() const
{
    int widest = fontMetrics().horizontalAdvance(tr("Lifetime within the trace"));
    for (const HistogramBin& bin : m_histogram->bins)
        widest = std::max(widest, fontMetrics().horizontalAdvance(binTitle(bin)));
    return widest + kGap;
}

QRect HistogramChart::rowRect(std::size_t bin) const
{
    return {0, rowHeight() * (m_rowOf[bin] + 1), width(), rowHeight()};
}

QString HistogramChart::binTitle(const HistogramBin& bin) const
{
    if (bin.kind == BinKind::NotFreed)
        return tr("not freed in the trace");
    if (bin.kind == BinKind::Older)
        return tr("older than the trace, freed in it");
    if (m_unit == Unit::Bytes)
        return bin.high == 1 ? tr("0 B") : tr("%1 to %2").arg(bytesText(bin.low), bytesText(bin.high));
    if (bin.high == 1)
        return tr("0 events");
    return tr("%1 to %2 events").arg(countText(bin.low), countText(bin.high - 1));
}

QString HistogramChart::text() const
{
    QString text = (m_unit == Unit::Bytes ? tr("Size") : tr("Lifetime within the trace"))
        + tr("\tBytes\tShare\tAllocations\n");
    if (!m_histogram)
        return text;
    for (const HistogramBin& bin : m_histogram->bins)
        text += QStringLiteral("%1\t%2\t%3\t%4\n")
                    .arg(binTitle(bin), bytesText(bin.total.bytes),
                        QString::fromStdString(formatShare(bin.total.bytes, m_histogram->total.bytes)),
                        countText(bin.total.count));
    return text;
}

void HistogramChart::paintBar(
    QPainter& painter, QRect where, double share, const QColor& color, const QString& text) const
{
    where.adjust(0, 3, 0, -3);
    // The text starts right of the longest bar at the latest.
    const int room = fontMetrics().horizontalAdvance(QStringLiteral("1,023.9 MiB (100.0 %)m"));
    const int length = static_cast<int>(share * std::max(0, where.width() - room));
    painter.fillRect(where.left(), where.top(), share > 0 ? std::max(1, length) : 0, where.height(), color);
    painter.setPen(m_colors.text);
    painter.drawText(where.adjusted(length + 6, -3, 0, 3), Qt::AlignVCenter | Qt::AlignLeft, text);
}

void HistogramChart::paintBin(QPainter& painter, std::size_t bin, const CountedBytes& largest) const
{
    const QRect row = rowRect(bin);
    const HistogramBin& of = m_histogram->bins[bin];
    if (m_chosen == bin)
        painter.fillRect(row, m_colors.accentSoft);
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    };
    const int first = kMargin + titleWidth();
    const int half = (width() - first - kMargin) / 2;
    painter.setPen(m_colors.text);
    painter.drawText(
        QRect(kMargin, row.top(), first - kMargin, row.height()), Qt::AlignVCenter, binTitle(of));
    paintBar(painter, {first, row.top(), half, row.height()}, share(of.total.bytes, largest.bytes),
        m_colors.accent,
        QStringLiteral("%1 (%2)").arg(bytesText(of.total.bytes),
            QString::fromStdString(formatShare(of.total.bytes, m_histogram->total.bytes))));
    paintBar(painter, {first + half, row.top(), half, row.height()}, share(of.total.count, largest.count),
        m_colors.quietText, countText(of.total.count));
}

void HistogramChart::paintEmpty(QPainter& painter, std::size_t first) const
{
    HistogramBin run = m_histogram->bins[first];
    for (std::size_t bin = first; bin < m_histogram->bins.size() && isEmpty(bin); ++bin)
        run.high = m_histogram->bins[bin].high;
    painter.setPen(m_colors.quietText);
    painter.drawText(rowRect(first).adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter,
        tr("%1: none").arg(binTitle(run)));
}

void HistogramChart::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), m_colors.surface);
    if (!m_histogram || m_histogram->bins.empty())
        return;
    CountedBytes largest;
    for (const HistogramBin& bin : m_histogram->bins) {
        largest.bytes = std::max(largest.bytes, bin.total.bytes);
        largest.count = std::max(largest.count, bin.total.count);
    }
    const int first = kMargin + titleWidth();
    const int half = (width() - first - kMargin) / 2;
    painter.setPen(m_colors.quietText);
    const auto head = [&](int x, const QString& text) {
        painter.drawText(QRect(x, 0, half, rowHeight()), Qt::AlignVCenter | Qt::AlignLeft, text);
    };
    head(kMargin, m_unit == Unit::Bytes ? tr("Size") : tr("Lifetime within the trace"));
    head(first, tr("Bytes, together %1").arg(bytesText(m_histogram->total.bytes)));
    head(first + half, tr("Allocations, together %1").arg(countText(m_histogram->total.count)));
    for (std::size_t bin = 0; bin < m_histogram->bins.size(); ++bin) {
        if (!isEmpty(bin))
            paintBin(painter, bin, largest);
        else if (!isEmpty(bin - 1)) // the first bin is never empty
            paintEmpty(painter, bin);
    }
}

std::optional<std::size_t> HistogramChart::binAt(const QPoint& at) const
{
    for (std::size_t bin = 0; m_histogram && bin < m_histogram->bins.size(); ++bin)
        if (!isEmpty(bin) && rowRect(bin).contains(at))
            return bin;
    return std::nullopt;
}

void HistogramChart::choose(std::size_t bin)
{
    m_chosen = bin;
    update();
    emit binChosen(bin);
}

void HistogramChart::mousePressEvent(QMouseEvent* event)
{
    if (const auto bin = binAt(event->pos()); bin && event->button() == Qt::LeftButton)
        choose(*bin);
}

void HistogramChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto bin = binAt(event->pos()); bin && event->button() == Qt::LeftButton)
        emit binOpened(*bin);
}

/// The first and the last bin are never empty.
void HistogramChart::walk(bool down)
{
    std::size_t bin = m_chosen.value_or(0);
    if (m_chosen && bin != (down ? m_histogram->bins.size() - 1 : 0))
        do
            bin = down ? bin + 1 : bin - 1;
        while (isEmpty(bin));
    choose(bin);
}

void HistogramChart::keyPressEvent(QKeyEvent* event)
{
    const bool down = event->key() == Qt::Key_Down;
    if (m_histogram && !m_histogram->bins.empty() && (down || event->key() == Qt::Key_Up))
        walk(down);
    else if (m_chosen && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        emit binOpened(*m_chosen);
    else
        QWidget::keyPressEvent(event);
}

bool HistogramChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bin = binAt(help->pos());
    QString tip;
    if (bin) {
        const HistogramBin& of = m_histogram->bins[*bin];
        tip = tr("%1: %2 in %3")
                  .arg(binTitle(of), QString::fromStdString(formatExactBytes(of.total.bytes)),
                      countedText(of.total.count, "allocation", "allocations"));
    }
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace highwater::gui
