#include "app/views/compare/step_links.h"

#include <algorithm>

#include <QPainter>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

namespace {
/// Closer lines say nothing.
constexpr double kNarrowest = 6;
} // namespace

StepLinks::StepLinks(const VisibleRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
{
    named(this, "stepLinks", tr("Steps of both runs that belong together"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&m_range, &VisibleRange::changed, this, qOverload<>(&QWidget::update));
}

void StepLinks::setLinks(std::vector<Link> links)
{
    m_links = std::move(links);
    update();
}

void StepLinks::setEdges(int left, int right)
{
    m_left = left;
    m_right = right;
    update();
}

void StepLinks::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

double StepLinks::xOf(double place) const
{
    const AxisWindow& x = m_range.x();
    return m_left + (place - x.begin) / x.width() * (m_right - m_left);
}

void StepLinks::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.surface);
    const auto isInView = [this](const Link& link) {
        const auto [low, high] = std::minmax(xOf(link.above), xOf(link.below));
        return high >= m_left && low <= m_right;
    };
    const auto shown = std::count_if(m_links.begin(), m_links.end(), isInView);
    if (static_cast<double>(shown) * kNarrowest > m_right - m_left)
        return;
    painter.setClipRect(m_left, 0, m_right - m_left, height());
    painter.setRenderHint(QPainter::Antialiasing);
    double free = m_left;
    for (const Link& link : m_links) {
        if (!isInView(link))
            continue;
        const double above = xOf(link.above);
        const double below = xOf(link.below);
        painter.setPen(QPen(m_colors.border, 1));
        painter.drawLine(QPointF(above, 0), QPointF(below, height()));
        const double left = std::max(above, below) + 5;
        const double width = fontMetrics().horizontalAdvance(link.label);
        if (left < free)
            continue;
        painter.setPen(m_colors.quietText);
        painter.drawText(QRectF(left, 0, width + 2, height()), Qt::AlignVCenter, link.label);
        free = left + width + 12;
    }
}

} // namespace highwater::gui
