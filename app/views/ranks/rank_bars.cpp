#include "app/views/ranks/rank_bars.h"

#include <algorithm>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 10;
constexpr QColor kBarColor(0x44, 0x77, 0xaa);

QFont bold(QFont font)
{
    font.setBold(true);
    return font;
}

} // namespace

RankBars::RankBars(QWidget* parent)
    : QWidget(parent)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("rankBars"));
    setAccessibleName(tr("Peak of each rank"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
}

void RankBars::setBars(std::vector<RankBar> bars)
{
    m_bars = std::move(bars);
    m_highest = 1;
    for (const RankBar& bar : m_bars)
        m_highest = std::max(m_highest, bar.peak.value_or(0));
    setMinimumHeight(sizeHint().height());
    updateGeometry();
    update();
}

void RankBars::setSelected(std::optional<std::size_t> file)
{
    m_selected = file;
    update();
}

void RankBars::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

int RankBars::rowHeight() const
{
    return fontMetrics().height() + 7;
}

QSize RankBars::sizeHint() const
{
    return {320, static_cast<int>(m_bars.size()) * rowHeight() + 8};
}

int RankBars::nameWidth() const
{
    int width = 0;
    for (const RankBar& bar : m_bars)
        width = std::max(width, QFontMetrics(bold(font())).horizontalAdvance(bar.name) + 2);
    return std::min(width, this->width() / 3);
}

double RankBars::xOf(Bytes bytes) const
{
    const double left = kMargin + nameWidth() + 8;
    const double right
        = width() - kMargin - fontMetrics().horizontalAdvance(QStringLiteral("1,023.00 GiB  OOM"));
    return left + std::max(10.0, right - left) * static_cast<double>(bytes) / static_cast<double>(m_highest);
}

QRect RankBars::barRect(std::size_t bar) const
{
    const int top = 4 + static_cast<int>(bar) * rowHeight();
    const int left = static_cast<int>(xOf(0));
    const int right = static_cast<int>(xOf(m_bars[bar].peak.value_or(0)));
    return QRect(left, top + 2, std::max(1, right - left), rowHeight() - 4);
}

std::optional<std::size_t> RankBars::barAt(const QPoint& position) const
{
    const int row = (position.y() - 4) / rowHeight();
    return position.y() >= 4 && row < static_cast<int>(m_bars.size())
        ? std::optional(static_cast<std::size_t>(row))
        : std::nullopt;
}

void RankBars::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.surface);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const QRect row(0, barRect(i).top() - 2, width(), rowHeight());
        if (!row.intersects(event->rect()))
            continue;
        if (m_selected == m_bars[i].file)
            painter.fillRect(row, m_colors.accentSoft);
        paintBar(painter, i);
        paintMedian(painter, i);
    }
}

void RankBars::paintBar(QPainter& painter, std::size_t index) const
{
    const RankBar& bar = m_bars[index];
    const QRect area = barRect(index);
    const bool selected = m_selected == bar.file;
    painter.setFont(selected ? bold(font()) : font());
    painter.setPen(m_colors.text);
    painter.drawText(QRect(kMargin, area.top(), nameWidth() + 6, area.height()), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(bar.name, Qt::ElideMiddle, nameWidth()));
    painter.setFont(font());
    const QRect behind(area.right() + 6, area.top(), width() - area.right() - 6, area.height());
    if (!bar.peak) {
        painter.setPen(m_colors.quietText);
        painter.drawText(
            behind, Qt::AlignVCenter, fontMetrics().elidedText(bar.note, Qt::ElideRight, behind.width() - 4));
        return;
    }
    painter.fillRect(area, bar.outlier ? m_colors.warning : kBarColor);
    painter.setPen(m_colors.text);
    const QString value = bytesText(*bar.peak);
    painter.drawText(behind, Qt::AlignVCenter, value);
    if (!bar.outOfMemory)
        return;
    painter.setPen(m_colors.danger);
    painter.drawText(
        behind.adjusted(fontMetrics().horizontalAdvance(value) + 8, 0, 0, 0), Qt::AlignVCenter, tr("OOM"));
}

/// A dash through the row: ranks of several groups have several medians.
void RankBars::paintMedian(QPainter& painter, std::size_t index) const
{
    if (!m_bars[index].median)
        return;
    const int x = static_cast<int>(xOf(*m_bars[index].median));
    const int top = barRect(index).top() - 2;
    painter.setPen(QPen(m_colors.text, 1, Qt::DashLine));
    painter.drawLine(x, top, x, top + rowHeight());
}

void RankBars::mousePressEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> bar = barAt(event->pos());
    if (bar && event->button() == Qt::LeftButton)
        emit chosen(static_cast<int>(m_bars[*bar].file));
}

bool RankBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<std::size_t> bar = barAt(help->pos());
    if (!bar) {
        QToolTip::hideText();
        return true;
    }
    const RankBar& of = m_bars[*bar];
    QStringList lines{of.peak ? tr("%1: peak %2").arg(of.name, bytesText(*of.peak)) : of.name};
    if (of.median)
        lines << tr("Median (dashed line): %1").arg(bytesText(*of.median));
    if (of.outOfMemory)
        lines << tr("Ran out of memory");
    if (!of.note.isEmpty())
        lines << of.note;
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

} // namespace highwater::gui
